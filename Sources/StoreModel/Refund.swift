/// Why a customer requests a refund, by the name in *consumptionRequestReason*.
package enum RefundReason: String, Codable, CaseIterable, Sendable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"

    /// The reason in receipts for a purchase that is revoked for it.
    package var revocationReason: Revocation.Reason {
        switch self {
        case .fulfillmentIssue, .unsatisfiedWithPurchase: .issue
        case .unintendedPurchase, .legal, .other: .other
        }
    }
}

/// How much of a purchase is refunded, by the name in *revocationType*.
package enum RefundType: String, Codable, CaseIterable, Sendable {
    case full = "REFUND_FULL"
    /// The unused part.
    case prorated = "REFUND_PRORATED"
}

/// A share in thousandths of a percent, as *revocationPercentage* and *consumptionPercentage* are.
package enum Percentage {
    package static let whole: Int64 = 100_000
}

/// The amount of a refund.
package struct RefundGrant: Hashable, Sendable {
    package let type: RefundType
    /// From 0 to `Percentage.whole`.
    package let percentage: Int64
    package let amount: Money
    package let at: Timestamp

    package init(type: RefundType, percentage: Int64, amount: Money, at: Timestamp) {
        self.type = type
        self.percentage = percentage
        self.amount = amount
        self.at = at
    }
}

/// A request to refund a purchase, and its outcome; a purchase has at most one.
package struct Refund: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The app was asked what was consumed, and has not answered.
        case requested
        /// The app has answered.
        case answered
        case granted
        case declined
        /// It was granted, then reversed.
        case reversed
    }

    /// The app's report on what was consumed.
    package struct Answer: Hashable, Sendable {
        package let consumption: Consumption
        package let at: Timestamp

        package init(_ consumption: Consumption, at: Timestamp) {
            self.consumption = consumption
            self.at = at
        }
    }

    package enum Decision: Hashable, Sendable {
        case granted(RefundGrant)
        case declined(at: Timestamp)
        case reversed(RefundGrant, at: Timestamp)
    }

    /// The purchase; for repeated purchases of something owned once, the first.
    package let transaction: TransactionID
    package let reason: RefundReason
    package let requestedAt: Timestamp
    package var answer: Answer?
    /// Nil while it is undecided.
    package var decision: Decision?

    package init(
        transaction: TransactionID, reason: RefundReason, requestedAt: Timestamp,
        answer: Answer? = nil, decision: Decision? = nil
    ) {
        self.transaction = transaction
        self.reason = reason
        self.requestedAt = requestedAt
        self.answer = answer
        self.decision = decision
    }

    package var state: State {
        switch decision {
        case .granted: .granted
        case .declined: .declined
        case .reversed: .reversed
        case nil: answer == nil ? .requested : .answered
        }
    }

    /// The granted refund, even if it was reversed since.
    package var grant: RefundGrant? {
        switch decision {
        case .granted(let grant), .reversed(let grant, _): grant
        case .declined, nil: nil
        }
    }
}
