package import StoreModel

/// `POST /control/v1/receipts/explain`: a receipt of an app, or of a single transaction, or signed
/// data.
package struct ExplainReceiptBody: Codable, Hashable, Sendable {
    /// A receipt in base64, or signed data as a compact JWS.
    package let receipt: String

    package init(receipt: String) {
        self.receipt = receipt
    }
}

/// A receipt or signed data, decoded: everything in it, and whether this store vouches for it.
package struct ExplainedReceiptBody: Codable, Hashable, Sendable {
    package enum Form: String, Codable, CaseIterable, Sendable {
        /// The unified receipt of an app.
        case app
        /// The receipt of a single transaction, in the style from before iOS 7.
        case transaction
        /// A JWS, such as a transaction or a notification.
        case signedData
    }

    package let form: Form
    package let verdict: ReceiptVerdictBody
    /// In their order: those before the first that failed were passed, those after it not reached.
    package let checks: [ExplainedCheckBody]
    /// The signer's, the leaf first; none where they cannot be read.
    package let certificates: [ExplainedCertificateBody]
    package let attributes: [ReceiptAttributeBody]
    /// Each purchase's attributes; empty in the receipt of a single transaction.
    package let purchases: [[ReceiptAttributeBody]]
    /// The JSON that was signed, of signed data alone.
    package let payload: String?

    package init(
        form: Form, verdict: ReceiptVerdictBody, checks: [ExplainedCheckBody],
        certificates: [ExplainedCertificateBody], attributes: [ReceiptAttributeBody] = [],
        purchases: [[ReceiptAttributeBody]] = [], payload: String? = nil
    ) {
        self.form = form
        self.verdict = verdict
        self.checks = checks
        self.certificates = certificates
        self.attributes = attributes
        self.purchases = purchases
        self.payload = payload
    }
}

/// How one check ended.
package struct ExplainedCheckBody: Codable, Hashable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed, failed, notReached
    }

    package let check: VerificationCheck
    package let outcome: Outcome

    package init(check: VerificationCheck, outcome: Outcome) {
        self.check = check
        self.outcome = outcome
    }
}

/// A certificate of a receipt or of signed data.
package struct ExplainedCertificateBody: Codable, Hashable, Sendable {
    /// In hexadecimal, as other tools show it.
    package let serial: String
    /// Of its DER, in hexadecimal.
    package let sha256: String
    package let notBefore: Timestamp
    package let notAfter: Timestamp

    package init(serial: String, sha256: String, notBefore: Timestamp, notAfter: Timestamp) {
        self.serial = serial
        self.sha256 = sha256
        self.notBefore = notBefore
        self.notAfter = notAfter
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
