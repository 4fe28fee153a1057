package import StoreModel
/// One purchase in a receipt (attributes 1701 to 1722).
package struct ReceiptPurchase: Codable, Hashable, Sendable {
    package var quantity: Int64  // 1701
    package var productID: String  // 1702
    package var transactionID: String  // 1703
    package var purchasedAt: Timestamp  // 1704
    package var originalTransactionID: String  // 1705
    package var originallyPurchasedAt: Timestamp  // 1706
    package var kind: ProductKind  // 1707
    package var expiresAt: Timestamp?  // 1708
    package var webOrderLineItemID: Int64  // 1711
    package var cancelledAt: Timestamp?  // 1712
    package var isTrialPeriod: Bool  // 1713
    package var isInIntroOfferPeriod: Bool  // 1719
    package var cancellationReason: Int64?  // 1720
    package var promotionalOfferID: String?  // 1721

    package init(
        quantity: Int64, productID: String, transactionID: String, purchasedAt: Timestamp,
        originalTransactionID: String, originallyPurchasedAt: Timestamp, kind: ProductKind
    ) {
        self.quantity = quantity
        self.productID = productID
        self.transactionID = transactionID
        self.purchasedAt = purchasedAt
        self.originalTransactionID = originalTransactionID
        self.originallyPurchasedAt = originallyPurchasedAt
        self.kind = kind
        expiresAt = nil
        webOrderLineItemID = 0
        cancelledAt = nil
        isTrialPeriod = false
        isInIntroOfferPeriod = false
        cancellationReason = nil
        promotionalOfferID = nil
    }
}
