/// `POST /v1/receipts` of a purchase backend: an app submits a purchase.
package struct ReceiptSubmissionBody: Codable, Hashable, Sendable {
    /// The app receipt, or the transaction's own, in base64.
    package let receiptData: String
    package let productId: String
    package let transactionId: String
    package let appVersion: String
    /// The app's own fields, returned unchanged with the content.
    package let passThrough: [String: String]?

    package init(
        receiptData: String, productId: String, transactionId: String, appVersion: String,
        passThrough: [String: String]? = nil
    ) {
        self.receiptData = receiptData
        self.productId = productId
        self.transactionId = transactionId
        self.appVersion = appVersion
        self.passThrough = passThrough
    }
}
