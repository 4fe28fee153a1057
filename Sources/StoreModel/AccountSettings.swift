/// The owner's settings for an account's purchases.
package struct AccountSettings: Hashable, Sendable {
    /// Whether its purchases need somebody else's approval.
    package let needsApproval: Bool
    /// Whether its purchases are interrupted, as by new terms that the customer must accept first.
    package let interruptsPurchases: Bool
    /// Whether the payment of every renewal fails, so that it is owed and retried.
    package let failsRenewals: Bool

    package init(needsApproval: Bool, interruptsPurchases: Bool, failsRenewals: Bool = false) {
        self.needsApproval = needsApproval
        self.interruptsPurchases = interruptsPurchases
        self.failsRenewals = failsRenewals
    }

    /// Purchases are made at once, without approval, and renewals are paid.
    package static let plain = AccountSettings(needsApproval: false, interruptsPurchases: false)

    /// The same, with renewals that are paid.
    package var paying: Self {
        AccountSettings(needsApproval: needsApproval, interruptsPurchases: interruptsPurchases)
    }

    /// Whether its purchases wait for somebody.
    package var holdsPurchases: Bool { needsApproval || interruptsPurchases }
}
