package import StoreModel

/// What the backend uses of a receipt that the store verified.
package struct ReceiptSummary: Hashable, Sendable {
    /// Where it was verified, by the address that answered.
    package let environment: StoreEnvironment
    package let bundleID: String
    package let applicationVersion: String
    package let purchases: [Purchase]

    package init(
        environment: StoreEnvironment, bundleID: String, applicationVersion: String,
        purchases: [Purchase]
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.purchases = purchases
    }

    /// Whether the store took a claimed purchase back; nil when it is not listed.
    ///
    /// What is kept by its original transaction (`isKeptByOriginal`) goes with a refund of that
    /// one, unless it was bought again later.
    func isCancelled(_ claim: PurchaseClaim, isKeptByOriginal: Bool) -> Bool? {
        let ofProduct = purchases.filter { $0.productID == claim.productID }
        guard let own = ofProduct.first(where: { $0.transactionID == claim.transactionID }) else {
            return nil
        }
        guard !own.isCancelled, isKeptByOriginal else { return own.isCancelled }
        return ofProduct.contains { other in
            guard other.isCancelled, other.originalTransactionID == own.originalTransactionID
            else { return false }
            guard let purchasedAt = own.purchasedAt, let cancelledAt = other.cancelledAt else {
                return true
            }
            return purchasedAt <= cancelledAt
        }
    }

    package struct Purchase: Hashable, Sendable {
        package let productID: String
        package let transactionID: String
        package let originalTransactionID: String
        package let quantity: Int64
        /// The store took the purchase back.
        package let isCancelled: Bool
        /// When it did, if it said so.
        package let cancelledAt: Timestamp?
        package let purchasedAt: Timestamp?

        package init(
            productID: String, transactionID: String, originalTransactionID: String,
            quantity: Int64 = 1, isCancelled: Bool = false, cancelledAt: Timestamp? = nil,
            purchasedAt: Timestamp? = nil
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.originalTransactionID = originalTransactionID
            self.quantity = quantity
            self.isCancelled = isCancelled
            self.cancelledAt = cancelledAt
            self.purchasedAt = purchasedAt
        }
    }
}
