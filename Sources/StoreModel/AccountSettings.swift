/// What the owner set for an account's purchases.
package struct AccountSettings: Hashable, Sendable {
    /// Whether somebody else approves what it buys.
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
