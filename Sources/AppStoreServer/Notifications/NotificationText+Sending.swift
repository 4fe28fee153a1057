import Foundation
import StoreModel
import StoreSigning
import StoreWire

extension NotificationText {
    /// The JWS of version 2: the same bytes however often it is written.
    var signedPayload: String? {
        guard let seal else { return nil }
        var payload = body
        if let renewal { SignedPart.renewal.fill(renewal.jws, into: &payload) }
        if let transaction { SignedPart.transaction.fill(transaction.jws, into: &payload) }
        return seal.jws(of: Array(payload.utf8))
    }

    /// The body of a request that delivers it; nil until it is signed. Version 1 carries the shared
    /// secret of its address.
    ///
    /// Source: Apple, *responseBodyV2* and *responseBodyV1*.
    func requestBody(password: String?) -> [UInt8]? {
        switch version {
        case .v1:
            var filled = body
            if let password { SignedPart.password.fill(password, into: &filled) }
            return Array(filled.utf8)
        case .v2:
            guard let signedPayload else { return nil }
            var json = JSONWriter(capacity: signedPayload.utf8.count + 32)
            json.object { $0.member("signedPayload", plain: signedPayload) }
            return json.bytes
        }
    }
}

extension NotificationText.Part {
    fileprivate var jws: String { seal.jws(of: Array(payload.utf8)) }
}

extension UnsignedNotification {
    /// The signatures of the parts of version 2, or of the receipt in version 1.
    func signed(by signers: WorldSigners) throws -> NotificationSignatures {
        switch version {
        case .v1:
            var signatures = NotificationSignatures(number: number)
            guard let receipt else { return signatures }
            let payload = try WireJSON.decode(ReceiptPayload.self, from: receipt)
            let signed = try signers.receipts(environment).sign(payload)
            var filled = body
            SignedPart.receipt.fill(Data(signed).base64EncodedString(), into: &filled)
            signatures.filled = filled
            return signatures
        case .v2:
            let signer = try signers.data(environment)
            var payload = body
            func sign(_ text: String?, _ place: SignedPart) throws -> JWSSeal? {
                guard let text else { return nil }
                let jws = try signer.sign(Array(text.utf8), at: madeAt)
                place.fill(jws, into: &payload)
                return JWSSeal(of: jws)
            }
            let renewal = try sign(renewal, .renewal)
            let transaction = try sign(transaction, .transaction)
            let whole = JWSSeal(of: try signer.sign(Array(payload.utf8), at: madeAt))
            return NotificationSignatures(
                number: number, head: whole.head, body: whole.signature,
                transaction: transaction?.signature, renewal: renewal?.signature)
        }
    }
}
