/// What the store recorded for one purchase, or for giving one back: facts as they were then,
/// never recomputed.
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
    /// The app's own name of its user, as the app wrote it.
    package let applicationUsername: String?
    /// When the app finished it; nil while it waits in the queue.
    package let finishedAt: Timestamp?
    /// Set when it gives a purchase back; it is of one device then, and in no receipt of the app.
    package let restoration: Restoration?

    package init(
        id: TransactionID, original: TransactionID, environment: StoreEnvironment, app: AppID,
        account: AccountID, device: DeviceID, attempt: AttemptID, product: ProductID,
        kind: ProductKind, quantity: Int, purchasedAt: Timestamp,
        originallyPurchasedAt: Timestamp, charged: Money, storefront: String,
        applicationUsername: String?, finishedAt: Timestamp?,
        restoration: Restoration? = nil
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
        self.restoration = restoration
    }

    /// What servers are told of the app's user; nil unless the app's name of it is a UUID.
    package var appAccountToken: AppAccountToken? {
        applicationUsername.flatMap { AppAccountToken(applicationUsername: $0) }
    }
}
