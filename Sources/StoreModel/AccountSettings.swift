/// The owner's settings for an account's purchases.
package struct AccountSettings: Hashable, Sendable {
    /// Whether its purchases need somebody else's approval.
    package let needsApproval: Bool
    /// Whether its purchases are interrupted, as by new terms that the customer must accept first.
    package let interruptsPurchases: Bool

    package init(needsApproval: Bool, interruptsPurchases: Bool) {
        self.needsApproval = needsApproval
        self.interruptsPurchases = interruptsPurchases
    }

    /// Purchases are made at once, without approval.
    package static let plain = AccountSettings(needsApproval: false, interruptsPurchases: false)
}
