/// Why somebody asks for their money back, by the name that *consumptionRequestReason* gives it.
package enum RefundReason: String, Codable, CaseIterable, Sendable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"

    /// What receipts say of a purchase that is taken back for it.
    package var revocationReason: Revocation.Reason {
        switch self {
        case .fulfillmentIssue, .unsatisfiedWithPurchase: .issue
        case .unintendedPurchase, .legal, .other: .other
        }
    }
}

/// How much of a purchase is given back, by the name that *revocationType* gives it.
package enum RefundType: String, Codable, CaseIterable, Sendable {
    case full = "REFUND_FULL"
    /// What is left of it.
    case prorated = "REFUND_PRORATED"
}

/// A share in thousandths of a percent, as *revocationPercentage* and *consumptionPercentage* are.
package enum Percentage {
    package static let whole: Int64 = 100_000
}

/// What a refund gives back.
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

/// A request to give back what a purchase cost, and what became of it; a purchase has one at most.
package struct Refund: Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// The app was asked what was consumed, and has not said.
        case requested
        /// It has.
        case answered
        case granted
        case declined
        /// It was granted, and that was taken back.
        case reversed
    }

    /// What the app said was consumed.
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

    /// The purchase; of what was bought several times and is owned once, the first.
    package let transaction: TransactionID
    package let reason: RefundReason
    package let requestedAt: Timestamp
    package var answer: Answer?
    /// Nil while it is open.
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

    /// What was granted, also when it was taken back since.
    package var grant: RefundGrant? {
        switch decision {
        case .granted(let grant), .reversed(let grant, _): grant
        case .declined, nil: nil
        }
    }
}
