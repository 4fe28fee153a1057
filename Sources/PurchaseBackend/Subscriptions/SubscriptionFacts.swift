package import StoreModel

/// The facts of a subscription from the store's newest answer. Moments are by the store's clock.
package struct SubscriptionFacts: Hashable, Sendable {
    /// A period that the store revoked.
    package struct Revocation: Hashable, Sendable {
        package let transactionID: String
        package let at: Timestamp
    }

    /// Of the current period, as the next four.
    package var productID: String
    /// The promotional offer whose price applies.
    package var offerID: String?
    package var transactionID: String
    package var purchasedAt: Timestamp
    package var expiresAt: Timestamp
    /// When the newest period in any answer was bought; an answer without it is old.
    package var newestAt: Timestamp
    package var renewal: ReceiptSummary.RenewalInfo
    /// The newest revoked period, unless that was reversed.
    package var revocation: Revocation?
    /// The store's clock at that answer.
    package var answeredAt: Timestamp
    /// Whether the answer did not include it.
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

    /// Whether the period runs by the store's status only: by our estimate of its clock it is over.
    var runsByStatus: Bool {
        isClockEstimated && answeredAt.adding(milliseconds: 1) == expiresAt
    }

    /// The length of the period, a second at least.
    var periodMilliseconds: Int64 {
        max(expiresAt.milliseconds - purchasedAt.milliseconds, 1_000)
    }
}

/// The state of a subscription.
package enum SubscriptionState: Hashable, Sendable {
    case active
    /// The period is over and set to renew, and the store has neither renewed it nor said why not:
    /// it may be about to.
    case unsettled
    /// The payment failed, and the service continues while the store retries.
    case gracePeriod
    /// The payment failed; the store retries, and the service is suspended.
    case billingRetry
    case expired(Reason?)
    /// The store revoked the period.
    case revoked
    /// The period is over, and the store has not been reached since to say whether it was renewed.
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

    /// Whether the user gets the service.
    package var isServed: Bool {
        switch self {
        case .active, .unsettled, .gracePeriod: true
        case .billingRetry, .expired, .revoked, .unconfirmed: false
        }
    }
}

extension SubscriptionFacts {
    /// The state at a moment of the store's clock.
    ///
    /// Between the end of a period and the answer that says whether it was renewed, a subscription
    /// that is set to renew is served for another `leewayMilliseconds`, so that a renewal does not
    /// leave a gap; then it is `unconfirmed`. The same holds while the store has not processed the
    /// renewal yet; answers do not extend it.
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

    /// As long as a period, 5 seconds at least and an hour at most.
    var leewayMilliseconds: Int64 { Self.leewayMilliseconds(ofPeriod: periodMilliseconds) }

    static func leewayMilliseconds(ofPeriod milliseconds: Int64) -> Int64 {
        min(max(milliseconds, 5_000), 3_600_000)
    }
}
