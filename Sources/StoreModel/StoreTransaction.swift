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
    /// Of an auto-renewable subscription.
    package let subscription: SubscribedPeriod?
    /// What a family member bought and shares with this account; nil for what it bought itself.
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

    /// What servers are told of the app's user; nil unless the app's name of it is a UUID.
    package var appAccountToken: AppAccountToken? {
        applicationUsername.flatMap { AppAccountToken(applicationUsername: $0) }
    }

    /// The number that receipts name a period of a subscription by beside its transaction's, which
    /// a transaction that gives the period back shares. It is the purchase's number mirrored in the
    /// range of its environment, so that who takes one for the other is wrong.
    package var webOrderLineItem: Int64 {
        let range = environment.transactionNumbers
        return range.upperBound - ((restoration?.purchase ?? id).rawValue - range.lowerBound)
    }
}

/// Where a transaction comes from that gives a purchase back.
package struct Restoration: Hashable, Sendable {
    package let restore: RestoreID
    /// The purchase that came back, in which case `original` of the transaction is the purchase's.
    package let purchase: TransactionID

    package init(restore: RestoreID, purchase: TransactionID) {
        self.restore = restore
        self.purchase = purchase
    }
}
