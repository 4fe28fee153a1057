import StoreDatabase
import StoreModel

extension Subscription {
    /// From the columns that `SubscriptionRecords` reads.
    init(_ row: Row) throws {
        guard let currency = Currency(code: row.text(20)) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(row.text(20))\" is no currency")
        }
        func moment(_ column: Int) -> Timestamp? {
            row.integerOrNil(column).map { Timestamp(milliseconds: $0) }
        }
        func money(_ column: Int) -> Money? {
            row.integerOrNil(column).map { Money(milliunits: $0, currency: currency) }
        }
        self.init(
            original: TransactionID(row.integer(0)), phase: try Phase(row),
            product: ProductID(row.text(12)), period: try RenewalPeriod(stored: row.text(13)),
            startedAt: Timestamp(milliseconds: row.integer(15)),
            expiresAt: Timestamp(milliseconds: row.integer(16)),
            anchor: Anchor(
                at: Timestamp(milliseconds: row.integer(17)), months: Int(row.integer(18))),
            price: Money(milliunits: row.integer(19), currency: currency),
            isAutoRenewing: row.integer(21) != 0,
            nextProduct: row.textOrNil(22).map { ProductID($0) },
            nextOffer: try [SubscriptionOffer](stored: row.textOrNil(23)).first,
            offer: try row.textOrNil(24).map { kind in
                OfferInUse(
                    kind: try SubscriptionOffer.Kind(stored: kind), id: row.textOrNil(25),
                    mode: try SubscriptionOffer.PaymentMode(stored: row.text(26)),
                    price: Money(milliunits: row.integer(27), currency: currency),
                    periodsLeft: Int(row.integer(28)))
            },
            increase: try money(29).map { price in
                PriceIncrease(
                    price: price, consent: try PriceIncrease.Consent(stored: row.text(30)))
            }, isRaised: row.integer(35) != 0,
            retry: moment(31).flatMap { end in
                moment(32).map { Retry(endsAt: end, nextAt: $0) }
            }, renewalCount: Int(row.integer(33)))
    }

    /// What changes of a subscription, in the order in which it is stored.
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
            .text(kept.payment?.rawValue), .integer(isRaised ? 1 : 0),
        ]
    }
}

extension Subscription.Phase {
    /// As the column names it.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self =
            switch try Name(stored: row.text(9)) {
            case .active: .active
            case .gracePeriod: .gracePeriod(until: Timestamp(milliseconds: row.integer(11)))
            case .billingRetry: .billingRetry
            case .expired: .expired(try ExpirationReason(stored: row.integer(10)))
            case .revoked: .revoked
            }
    }
}

extension ExpirationReason {
    fileprivate init(stored number: Int64) throws(DatabaseError) {
        guard let reason = Self(rawValue: number) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\(number) is no reason of an expiration")
        }
        self = reason
    }
}
