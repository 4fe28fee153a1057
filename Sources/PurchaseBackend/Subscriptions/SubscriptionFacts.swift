package import StoreModel

/// What the store said of a subscription, in its newest answer. Moments are by the store's clock.
package struct SubscriptionFacts: Hashable, Sendable {
    /// A period that the store took back.
    package struct Revocation: Hashable, Sendable {
        package let transactionID: String
        package let at: Timestamp

        package init(transactionID: String, at: Timestamp) {
            self.transactionID = transactionID
            self.at = at
        }
    }

    /// The product of the period that counts, as the next four.
    package var productID: String
    /// The promotional offer at whose price it runs.
    package var offerID: String?
    package var transactionID: String
    package var purchasedAt: Timestamp
    package var expiresAt: Timestamp
    /// When the newest period was bought that any answer listed; an answer that knows less is old.
    package var newestAt: Timestamp
    package var renewal: ReceiptSummary.RenewalInfo
    /// The newest period that was taken back, unless that was reversed.
    package var revocation: Revocation?
    /// The store's clock when it said so.
    package var answeredAt: Timestamp
    /// Whether the answer did not tell it.
    package var isClockEstimated: Bool

    package init(
        productID: String, transactionID: String, purchasedAt: Timestamp, expiresAt: Timestamp,
        newestAt: Timestamp? = nil, offerID: String? = nil,
        renewal: ReceiptSummary.RenewalInfo = .init(),
        revocation: Revocation? = nil, answeredAt: Timestamp, isClockEstimated: Bool = false
    ) {
        self.productID = productID
        self.offerID = offerID
        self.transactionID = transactionID
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.newestAt = newestAt ?? purchasedAt
        self.renewal = renewal
        self.revocation = revocation
        self.answeredAt = answeredAt
        self.isClockEstimated = isClockEstimated
    }

    /// How long the period lasts, a second at least.
    var periodMilliseconds: Int64 {
        max(expiresAt.milliseconds - purchasedAt.milliseconds, 1_000)
    }
}

/// How a subscription stands.
package enum SubscriptionState: Hashable, Sendable {
    case active
    /// The period is over, to be renewed, and the store neither did so nor says why not: it may be
    /// about to.
    case unsettled
    /// The payment failed, and the app's owner serves on while the store tries again.
    case gracePeriod
    /// The payment failed; the store tries again, and nothing is served.
    case billingRetry
    case expired(Reason?)
    /// The store took the period back.
    case revoked
    /// The period is over, and the store was not reached since to say whether it was renewed.
    case unconfirmed

    /// Why a subscription ended (*expiration_intent*).
    package enum Reason: Int64, CaseIterable, Sendable {
        case voluntary = 1
        case billingError
        case priceNotAgreed
        case productUnavailable
        case unknown

        /// The name for programs.
        package var code: String {
            switch self {
            case .voluntary: "voluntary"
            case .billingError: "billingError"
            case .priceNotAgreed: "priceNotAgreed"
            case .productUnavailable: "productUnavailable"
            case .unknown: "unknown"
            }
        }
    }

    /// Whether the user gets what the subscription gives.
    package var isServed: Bool {
        switch self {
        case .active, .unsettled, .gracePeriod: true
        case .billingRetry, .expired, .revoked, .unconfirmed: false
        }
    }
}

extension SubscriptionFacts {
    /// How it stands at a moment of the store's clock.
    ///
    /// Between the end of a period and the answer that says whether it was renewed, who renews is
    /// served on for `leewayMilliseconds`, so that a renewal is no gap; then it is `unconfirmed`.
    /// So is who renews at a store that has not settled it yet; no answer makes that longer.
    package func state(at now: Timestamp) -> SubscriptionState {
        if revocation?.transactionID == transactionID { return .revoked }
        if now < expiresAt { return .active }
        if answeredAt < expiresAt, renewal.renews != false {
            return now < leewayEnd ? .active : .unconfirmed
        }
        if let graceEndsAt = renewal.graceEndsAt, now < graceEndsAt { return .gracePeriod }
        if renewal.isRetried == true { return .billingRetry }
        if answeredAt < expiresAt { return .expired(.voluntary) }
        if renewal.renews == true, renewal.intent == nil, !renewal.isOver, now < leewayEnd {
            return .unsettled
        }
        return .expired(
            renewal.intent.map { SubscriptionState.Reason(rawValue: $0) ?? .unknown })
    }

    private var leewayEnd: Timestamp { expiresAt.adding(milliseconds: leewayMilliseconds) }

    /// A period long, 5 seconds at least and an hour at most.
    var leewayMilliseconds: Int64 { Self.leewayMilliseconds(ofPeriod: periodMilliseconds) }

    static func leewayMilliseconds(ofPeriod milliseconds: Int64) -> Int64 {
        min(max(milliseconds, 5_000), 3_600_000)
    }
}
