package import StoreModel

/// `POST /device/v1/attempts`: one `add(payment)`, under an id the device made and stored first.
///
/// The same id with the same body always answers the attempt's present state; the same id with
/// another body or account is refused with 409.
package struct AttemptRequestBody: Codable, Hashable, Sendable {
    /// A UUID in capital letters.
    package let attemptId: String
    package let productId: String
    package let quantity: Int
    package let applicationUsername: String?

    package init(
        attemptId: String, productId: String, quantity: Int, applicationUsername: String?
    ) {
        self.attemptId = attemptId
        self.productId = productId
        self.quantity = quantity
        self.applicationUsername = applicationUsername
    }
}

package struct AttemptAnswerBody: Codable, Hashable, Sendable {
    package let attemptId: String
    package let state: AttemptState
    /// Present when the attempt is done.
    package let transaction: TransactionBody?
    /// Present when it was refused.
    package let refusal: RefusalBody?
    /// The account's receipt for this app now has this revision; fetch it when yours is older.
    package let receiptRevision: Int64

    package init(
        attemptId: String, state: AttemptState, transaction: TransactionBody?,
        refusal: RefusalBody?, receiptRevision: Int64
    ) {
        self.attemptId = attemptId
        self.state = state
        self.transaction = transaction
        self.refusal = refusal
        self.receiptRevision = receiptRevision
    }
}

/// Why a purchase ended without a transaction.
package struct RefusalBody: Codable, Hashable, Sendable {
    package let code: RefusalCode
    package let message: String

    package init(code: RefusalCode, message: String) {
        self.code = code
        self.message = message
    }
}

/// A transaction as its devices see it.
package struct TransactionBody: Codable, Hashable, Sendable {
    /// Digits.
    package let transactionId: String
    package let originalTransactionId: String
    package let productId: String
    package let quantity: Int
    /// Milliseconds since 1970.
    package let purchaseDate: Timestamp
    package let originalPurchaseDate: Timestamp
    /// The attempt it came from, and the device that made it.
    package let attemptId: String
    package let deviceGuid: String
    package let applicationUsername: String?

    package init(
        transactionId: String, originalTransactionId: String, productId: String, quantity: Int,
        purchaseDate: Timestamp, originalPurchaseDate: Timestamp, attemptId: String,
        deviceGuid: String, applicationUsername: String?
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.attemptId = attemptId
        self.deviceGuid = deviceGuid
        self.applicationUsername = applicationUsername
    }
}
