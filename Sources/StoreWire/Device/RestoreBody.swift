package import StoreModel

/// `POST /device/v1/restores`: a page of what the account owns, each purchase in a new transaction.
///
/// The same restore and position always return the same transactions; the same identifier for
/// another account or user name is refused with 409.
package struct RestoreRequestBody: Codable, Hashable, Sendable {
    /// The most transactions in one answer.
    package static let transactionsMax = 500

    /// A UUID in uppercase, made by the device for one restore.
    package let restoreId: String
    /// Only purchases under this name; all of them when absent or empty.
    package let applicationUsername: String?
    /// The `next` of the previous page; absent for the first.
    package let after: String?

    package init(restoreId: String, applicationUsername: String?, after: String?) {
        self.restoreId = restoreId
        self.applicationUsername = applicationUsername
        self.after = after
    }
}

package struct RestoreAnswerBody: Codable, Hashable, Sendable {
    /// Unfinished until the device finishes them, each with its `original`. A page may be empty
    /// although others follow.
    package let transactions: [TransactionBody]
    /// Where to continue; absent on the last page.
    package let next: String?
    /// The account's receipt for this app has this revision; restoring does not change it.
    package let receiptRevision: Int64

    package init(transactions: [TransactionBody], next: String?, receiptRevision: Int64) {
        self.transactions = transactions
        self.next = next
        self.receiptRevision = receiptRevision
    }
}

/// The purchase that a restored transaction restores: the first of those that count as the same.
package struct OriginalBody: Codable, Hashable, Sendable {
    package let transactionId: String
    package let productId: String
    package let quantity: Int
    package let purchaseDate: Timestamp
    package let applicationUsername: String?

    package init(
        transactionId: String, productId: String, quantity: Int, purchaseDate: Timestamp,
        applicationUsername: String?
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.applicationUsername = applicationUsername
    }
}
