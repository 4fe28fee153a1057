/// Why an account is not deleted. Ordered: the first reason that applies is given.
package enum AccountDeletionRefusal: Error, Hashable, CaseIterable, Sendable {
    /// Its family shares purchases with it: members leave one by one, and see what they lose.
    case inFamily
    /// A payment provider has not answered about its money: a payment, or a refund of one.
    case paymentOpen
    /// A refund was requested, and nobody has decided about the money.
    case refundOpen
}

/// The facts for deciding on a deletion.
package struct AccountDeletionFacts: Hashable, Sendable {
    package let isInFamily: Bool
    package let hasOpenPayment: Bool
    package let hasOpenRefund: Bool

    package init(isInFamily: Bool, hasOpenPayment: Bool, hasOpenRefund: Bool) {
        self.isInFamily = isInFamily
        self.hasOpenPayment = hasOpenPayment
        self.hasOpenRefund = hasOpenRefund
    }
}

/// Whether an account can be deleted: money that is on its way must arrive first. What only waits
/// for a person, such as an approval, ends with the account.
package enum AccountDeletionRules {
    package static func refusal(given facts: AccountDeletionFacts) -> AccountDeletionRefusal? {
        AccountDeletionRefusal.allCases.first { refusal in
            switch refusal {
            case .inFamily: facts.isInFamily
            case .paymentOpen: facts.hasOpenPayment
            case .refundOpen: facts.hasOpenRefund
            }
        }
    }
}
