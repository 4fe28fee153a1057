/// What the owner set for an account's purchases.
package struct AccountSettings: Hashable, Sendable {
    /// Whether its purchases need somebody else's approval.
    package let needsApproval: Bool
    /// Whether its purchases are interrupted, as by new terms that the person must accept first.
    package let interruptsPurchases: Bool

    package init(needsApproval: Bool, interruptsPurchases: Bool) {
        self.needsApproval = needsApproval
        self.interruptsPurchases = interruptsPurchases
    }

    /// It buys by itself and at once.
    package static let plain = AccountSettings(needsApproval: false, interruptsPurchases: false)
}
