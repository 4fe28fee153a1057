package import StoreModel
/// The contents of a transaction receipt about its one purchase: its `purchase-info`.
package struct TransactionReceiptInfo: Hashable, Sendable {
    /// The fields of an auto-renewable subscription.
    package struct Subscription: Hashable, Sendable {
        /// Nil when the transaction restores an earlier purchase.
        package var expiresAt: Timestamp?
        package var webOrderLineItemID: Int64
        package var isTrialPeriod: Bool
        package var isInIntroOfferPeriod: Bool

        package init(
            expiresAt: Timestamp?, webOrderLineItemID: Int64, isTrialPeriod: Bool,
            isInIntroOfferPeriod: Bool
        ) {
            self.expiresAt = expiresAt
            self.webOrderLineItemID = webOrderLineItemID
            self.isTrialPeriod = isTrialPeriod
            self.isInIntroOfferPeriod = isInIntroOfferPeriod
        }
    }

    package var bundleID: String  // bid
    /// The app's number; 0 in the sandbox, whose receipts do not have it.
    package var appItemID: Int64  // app-item-id
    package var applicationVersion: String  // bvrs
    /// The device's `identifierForVendor`, a UUID.
    package var vendorIdentifier: String
    package var productID: String
    package var quantity: Int64
    package var transactionID: String
    package var originalTransactionID: String
    /// With its milliseconds, unlike in a unified receipt.
    package var purchasedAt: Timestamp
    package var originallyPurchasedAt: Timestamp
    package var subscription: Subscription?

    package init(
        bundleID: String, appItemID: Int64 = 0, applicationVersion: String,
        vendorIdentifier: String, productID: String, quantity: Int64, transactionID: String,
        originalTransactionID: String, purchasedAt: Timestamp,
        originallyPurchasedAt: Timestamp, subscription: Subscription? = nil
    ) {
        self.bundleID = bundleID
        self.appItemID = appItemID
        self.applicationVersion = applicationVersion
        self.vendorIdentifier = vendorIdentifier
        self.productID = productID
        self.quantity = quantity
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchasedAt = purchasedAt
        self.originallyPurchasedAt = originallyPurchasedAt
        self.subscription = subscription
    }
}
