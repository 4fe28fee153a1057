import StoreModel
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// A submission as received, within its limits.
struct IncomingSubmission: Hashable, Sendable {
    let receipt: [UInt8]
    let claim: PurchaseClaim
    let passThrough: [String: String]?

    /// Reads the body of `POST /v1/receipts`; names the rule that a wrong one breaks.
    init(_ bytes: [UInt8]) throws(Refusal) {
        let body: ReceiptSubmissionBody
        do {
            body = try WireJSON.decodeBody(ReceiptSubmissionBody.self, from: bytes)
        } catch {
            throw .badBody(WireJSON.explain(error))
        }
        guard body.receiptData.utf8.count <= BackendLimits.receiptTextMax else {
            throw .bodyTooLarge(BackendLimits.receiptTextMax)
        }
        guard let receipt = receiptBytes(body.receiptData) else {
            throw .badField("receiptData is not valid base64: send the app receipt in base64.")
        }
        self.receipt = receipt
        try Self.check("productId", body.productId, BackendLimits.productIDBytesMax)
        try Self.check("transactionId", body.transactionId, BackendLimits.transactionIDBytesMax)
        try Self.check("appVersion", body.appVersion, BackendLimits.appVersionBytesMax)
        claim = PurchaseClaim(
            productID: body.productId, transactionID: body.transactionId,
            appVersion: body.appVersion)
        passThrough = body.passThrough
        try Self.check(body.passThrough ?? [:])
    }

    private static func check(
        _ name: String, _ text: String, _ bytesMax: Int
    ) throws(Refusal) {
        guard isPlainWord(text, bytesMax: bytesMax) else {
            throw .badField(
                "\(name) must be 1 to \(bytesMax) bytes of text without control characters.")
        }
    }

    private static func check(_ passThrough: [String: String]) throws(Refusal) {
        guard passThrough.count <= BackendLimits.passThroughFieldsMax else {
            throw .badField(
                "passThrough may have \(BackendLimits.passThroughFieldsMax) fields, not "
                    + "\(passThrough.count).")
        }
        for (name, value) in passThrough {
            guard name.utf8.count <= BackendLimits.passThroughNameBytesMax,
                value.utf8.count <= BackendLimits.passThroughValueBytesMax
            else {
                throw .badField(
                    "A field of passThrough may have a name of "
                        + "\(BackendLimits.passThroughNameBytesMax) bytes and a value of "
                        + "\(BackendLimits.passThroughValueBytesMax).")
            }
        }
    }

    /// The row for this submission.
    func row(
        id: SubmissionID, user: BackendUserID, requestID: String
    ) throws -> NewSubmission {
        NewSubmission(
            id: id, user: user, receipt: receipt, receiptHash: sha256(receipt), claim: claim,
            passThrough: try passThrough.map {
                String(decoding: try WireJSON.encode($0), as: UTF8.self)
            }, requestID: requestID)
    }
}
