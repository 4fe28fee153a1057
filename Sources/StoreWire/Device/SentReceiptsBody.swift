/// The receipts of a purchase, sent along with the answer to its attempt.
package struct SentReceiptsBody: Codable, Hashable, Sendable {
    /// The query item of `POST /device/v1/attempts` that asks for them.
    package static let queryName = "receipts"

    /// The account's receipt in base64.
    package let receipt: String
    /// Of that receipt, which may be newer than the purchase.
    package let revision: Int64
    /// The receipt of this purchase alone, in base64.
    package let transactionReceipt: String

    package init(receipt: String, revision: Int64, transactionReceipt: String) {
        self.receipt = receipt
        self.revision = revision
        self.transactionReceipt = transactionReceipt
    }
}
