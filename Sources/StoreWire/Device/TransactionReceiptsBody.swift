/// `POST /device/v1/transaction-receipts`: the receipts of single transactions of the account in
/// this app, which may be finished.
package struct TransactionReceiptsRequestBody: Codable, Hashable, Sendable {
    /// The most transactions in one request.
    package static let transactionsMax = 100

    package let transactionIds: [String]

    package init(transactionIds: [String]) {
        self.transactionIds = transactionIds
    }
}

package struct TransactionReceiptsAnswerBody: Codable, Hashable, Sendable {
    /// In the order requested, without those that the account does not have.
    package let receipts: [TransactionReceiptBody]

    package init(receipts: [TransactionReceiptBody]) {
        self.receipts = receipts
    }
}

package struct TransactionReceiptBody: Codable, Hashable, Sendable {
    package let transactionId: String
    /// The receipt's bytes in base64.
    package let receipt: String

    package init(transactionId: String, receipt: String) {
        self.transactionId = transactionId
        self.receipt = receipt
    }
}
