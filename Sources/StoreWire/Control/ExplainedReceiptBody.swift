package import StoreModel

/// `POST /control/v1/receipts/explain`: a receipt of an app, or of a single transaction.
package struct ExplainReceiptBody: Codable, Hashable, Sendable {
    /// In base64.
    package let receipt: String

    package init(receipt: String) {
        self.receipt = receipt
    }
}

/// A receipt, decoded: everything in it, and whether this store vouches for it.
package struct ExplainedReceiptBody: Codable, Hashable, Sendable {
    package enum Form: String, Codable, CaseIterable, Sendable {
        /// The unified receipt of an app.
        case app
        /// The receipt of a single transaction, in the style from before iOS 7.
        case transaction
    }

    package let form: Form
    package let verdict: ReceiptVerdictBody
    package let attributes: [ReceiptAttributeBody]
    /// Each purchase's attributes; empty in the receipt of a single transaction.
    package let purchases: [[ReceiptAttributeBody]]

    package init(
        form: Form, verdict: ReceiptVerdictBody, attributes: [ReceiptAttributeBody],
        purchases: [[ReceiptAttributeBody]]
    ) {
        self.form = form
        self.verdict = verdict
        self.attributes = attributes
        self.purchases = purchases
    }
}

/// What the store's own verifier says.
package struct ReceiptVerdictBody: Codable, Hashable, Sendable {
    package let isAuthentic: Bool
    /// Why it is not authentic here; absent when it is.
    package let why: String?
    /// The status that `verifyReceipt` of the receipt's environment starts from: 0, 21002 or 21003.
    package let status: Int
    /// Absent when nobody vouches for the receipt.
    package let environment: StoreEnvironment?
    /// The world that it was signed for, likewise.
    package let worldId: String?
    /// Whether it is of a test session, whose receipts have a root of their own; likewise.
    package let isTest: Bool?

    package init(
        isAuthentic: Bool, why: String?, status: Int, environment: StoreEnvironment?,
        worldId: String?, isTest: Bool?
    ) {
        self.isAuthentic = isAuthentic
        self.why = why
        self.status = status
        self.environment = environment
        self.worldId = worldId
        self.isTest = isTest
    }
}

/// One attribute of a receipt.
package struct ReceiptAttributeBody: Codable, Hashable, Sendable {
    /// Absent in the receipt of a single transaction, which has names only.
    package let number: Int64?
    package let name: String
    package let meaning: String?
    package let value: String

    package init(number: Int64?, name: String, meaning: String?, value: String) {
        self.number = number
        self.name = name
        self.meaning = meaning
        self.value = value
    }
}
