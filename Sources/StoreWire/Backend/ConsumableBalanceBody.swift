/// What a user has of a consumable, by the backend's ledger.
package struct ConsumableBalanceBody: Codable, Hashable, Sendable {
    package let productId: String
    /// Everything that was bought, with what was refunded.
    package let granted: Int64
    /// What was taken back because the store refunded it; without what the user keeps of it.
    package let takenBack: Int64
    package let used: Int64
    /// Below zero when more was taken back than was left.
    package let balance: Int64

    package init(productId: String, granted: Int64, takenBack: Int64, used: Int64) {
        self.productId = productId
        self.granted = granted
        self.takenBack = takenBack
        self.used = used
        balance = granted - takenBack - used
    }
}

/// `POST /v1/products/{productId}/uses` of a purchase backend: a user uses some of a consumable.
package struct ConsumableUseBody: Codable, Hashable, Sendable {
    /// Made by the app for each use; the same again uses nothing.
    package let useId: String
    package let quantity: Int

    package init(useId: String, quantity: Int) {
        self.useId = useId
        self.quantity = quantity
    }
}
