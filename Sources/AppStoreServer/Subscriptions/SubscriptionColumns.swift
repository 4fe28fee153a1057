import StoreDatabase
import StoreModel

extension Subscription {
    /// From the columns that `SubscriptionRecords` reads.
    init(_ row: Row) throws {
        let offers: String? = try row["next_offer"]
        self.init(
            original: try row["original_id"], runStartedAt: try row["run_started_ms"],
            phase: try Phase(row),
            product: try row["product_id"], period: try row["period"],
            startedAt: try row["started_ms"], expiresAt: try row["expires_ms"],
            anchor: Anchor(at: try row["anchor_ms"], months: try row["anchor_months"]),
            price: try row.money("price_milliunits", "currency"),
            isAutoRenewing: try row["is_auto_renewing"], nextProduct: try row["next_product_id"],
            nextOffer: try [SubscriptionOffer](stored: offers).first, offer: try OfferInUse(row),
            increase: try PriceIncrease(row), isRaised: try row["is_raised"],
            retry: try Retry(row), renewalCount: try row["renewal_count"])
    }

    /// The changing columns of a subscription, in the order in which they are stored.
    func columns(_ kept: SubscriptionRecord) throws -> [SQLValue] {
        [
            .integer(kept.newest.rawValue), .integer(kept.device.rawValue),
            .text(kept.applicationUsername), .integer(kept.failsBilling ? 1 : 0),
            .text(phase.name.rawValue), .integer(phase.expirationReason?.rawValue),
            .integer(phase.graceUntil?.milliseconds), .text(product.rawValue),
            .text(period.rawValue), .integer(startedAt.milliseconds),
            .integer(expiresAt.milliseconds), .integer(anchor.at.milliseconds),
            .integer(Int64(anchor.months)), .integer(price.milliunits),
            .text(price.currency.code), .integer(isAutoRenewing ? 1 : 0),
            .text(nextProduct?.rawValue),
            try nextOffer.map { try [$0].stored(for: .autoRenewable) } ?? .null,
            .text(offer?.kind.rawValue), .text(offer?.id), .text(offer?.mode.rawValue),
            .integer(offer?.price.milliunits), .integer(offer.map { Int64($0.periodsLeft) }),
            .integer(increase?.price.milliunits), .text(increase?.consent.rawValue),
            .integer(retry?.endsAt.milliseconds), .integer(retry?.nextAt.milliseconds),
            .integer(Int64(renewalCount)), .integer(dueAt?.milliseconds),
            .text(kept.payment?.rawValue), .integer(isRaised ? 1 : 0), .integer(increase?.question),
            .text(offer?.duration?.iso8601), .integer(runStartedAt.milliseconds),
        ]
    }
}

extension Subscription.Phase {
    /// From the column's name.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        let name: Name = try row["phase"]
        self =
            switch name {
            case .active: .active
            case .gracePeriod: .gracePeriod(until: try row["grace_until_ms"])
            case .billingRetry: .billingRetry
            case .expired: .expired(try row["expiration_reason"])
            case .revoked: .revoked
            }
    }
}

// Optional parts of a subscription; nil when the first column is null.

extension Subscription.OfferInUse {
    fileprivate init?(_ row: Row) throws(DatabaseError) {
        guard let kind: SubscriptionOffer.Kind = try row["offer_kind"] else { return nil }
        self.init(
            kind: kind, id: try row["offer_id"], mode: try row["offer_mode"],
            price: try row.money("offer_milliunits", "currency"),
            periodsLeft: try row["offer_periods_left"], duration: try row["offer_period"])
    }
}

extension Subscription.PriceIncrease {
    fileprivate init?(_ row: Row) throws(DatabaseError) {
        guard let price = try row.moneyOrNil("increase_milliunits", "currency") else { return nil }
        self.init(
            price: price, consent: try row["increase_consent"],
            question: try row["increase_question"])
    }
}

extension Subscription.Retry {
    fileprivate init?(_ row: Row) throws(DatabaseError) {
        guard let end: Timestamp = try row["retry_ends_ms"],
            let next: Timestamp = try row["retry_next_ms"]
        else { return nil }
        self.init(endsAt: end, nextAt: next)
    }
}
