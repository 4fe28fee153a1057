/// The store's record of one purchase or restored purchase: facts as they were then, never
/// recomputed.
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
    /// The app's own name for its user, as the app wrote it.
    package let applicationUsername: String?
    /// When the app finished it; nil while it waits in the queue.
    package let finishedAt: Timestamp?
    /// Set when it restores a purchase; it then belongs to one device, and appears in no receipt of
    /// the app.
    package let restoration: Restoration?
    /// Of an auto-renewable subscription.
    package let subscription: SubscribedPeriod?
    /// The family member's purchase that this account shares; nil for its own purchases.
    package let share: FamilyShare?

    package init(
        id: TransactionID, original: TransactionID, environment: StoreEnvironment, app: AppID,
        account: AccountID, device: DeviceID, attempt: AttemptID, product: ProductID,
        kind: ProductKind, quantity: Int, purchasedAt: Timestamp,
        originallyPurchasedAt: Timestamp, charged: Money, storefront: String,
        applicationUsername: String?, finishedAt: Timestamp?,
        restoration: Restoration? = nil, subscription: SubscribedPeriod? = nil,
        share: FamilyShare? = nil
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
        self.subscription = subscription
        self.share = share
    }

    package var ownership: Ownership { share == nil ? .purchased : .familyShared }

    /// The app's user as servers see it; nil unless the app's name for it is a UUID.
    package var appAccountToken: AppAccountToken? {
        applicationUsername.flatMap { AppAccountToken(applicationUsername: $0) }
    }

    /// The purchase that this transaction restores, or repeats at no charge; nil when it is a
    /// purchase itself.
    package var standsFor: TransactionID? {
        restoration?.purchase ?? (kind == .nonConsumable && original != id ? original : nil)
    }

    /// The number by which receipts name a period of a subscription beside its transaction's; a
    /// restored transaction shares it. It is the purchase's number in a range that transactions do
    /// not use, so that confusing the two fails, and grows with the periods.
    package var webOrderLineItem: Int64 {
        (restoration?.purchase ?? id).rawValue + StoreEnvironment.orderLineOffset
    }
}

/// The origin of a transaction that restores a purchase.
package struct Restoration: Hashable, Sendable {
    package let restore: RestoreID
    /// The restored purchase; `original` of the transaction is then the purchase's.
    package let purchase: TransactionID

    package init(restore: RestoreID, purchase: TransactionID) {
        self.restore = restore
        self.purchase = purchase
    }
}
