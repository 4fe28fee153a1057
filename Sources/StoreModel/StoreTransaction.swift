/// What the store recorded for one purchase: facts as they were then, never recomputed.
package struct StoreTransaction: Hashable, Sendable {
    package let id: TransactionID
    package let original: TransactionID
    package let environment: StoreEnvironment
    package let app: AppID
    package let account: AccountID
    package let device: DeviceID
    package let attempt: AttemptID
    package let product: ProductID
    package let kind: ProductKind
    package let quantity: Int
    package let purchasedAt: Timestamp
    package let originallyPurchasedAt: Timestamp
    /// What the whole quantity cost.
    package let charged: Money
    package let storefront: String
    package let applicationUsername: String?
    /// When the app finished it; nil while it waits in the queue.
    package let finishedAt: Timestamp?

    package init(
        id: TransactionID, original: TransactionID, environment: StoreEnvironment, app: AppID,
        account: AccountID, device: DeviceID, attempt: AttemptID, product: ProductID,
        kind: ProductKind, quantity: Int, purchasedAt: Timestamp,
        originallyPurchasedAt: Timestamp, charged: Money, storefront: String,
        applicationUsername: String?, finishedAt: Timestamp?
    ) {
        self.id = id
        self.original = original
        self.environment = environment
        self.app = app
        self.account = account
        self.device = device
        self.attempt = attempt
        self.product = product
        self.kind = kind
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.originallyPurchasedAt = originallyPurchasedAt
        self.charged = charged
        self.storefront = storefront
        self.applicationUsername = applicationUsername
        self.finishedAt = finishedAt
    }
}
