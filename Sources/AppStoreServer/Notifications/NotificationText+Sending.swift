import Foundation
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire

extension NotificationText {
    /// The JWS of version 2: the same bytes however often it is written.
    var signedPayload: [UInt8]? {
        guard let seal else { return nil }
        var payload = body
        // The later member first, so that neither is looked for in the other.
        if let transaction { SignedPart.fillTransaction(transaction.jws, into: &payload) }
        if let renewal { SignedPart.renewal.fill(renewal.jws, into: &payload) }
        return seal.jws(of: payload)
    }

    /// The body of a request that delivers it; nil until it is signed. Version 1 carries the shared
    /// secret of its address.
    ///
    /// Source: Apple, *responseBodyV2* and *responseBodyV1*.
    func requestBody(password: String?) -> [UInt8]? {
        switch version {
        case .v1:
            var filled = body
            if let password { SignedPart.password.fill(password.utf8, into: &filled) }
            return filled
        case .v2:
            return signedPayload.map { Self.prefix + $0 + Self.suffix }
        }
    }

    private static let prefix = Array(#"{"signedPayload":""#.utf8)
    private static let suffix = Array(#""}"#.utf8)
}

extension NotificationText.Part {
    fileprivate var jws: [UInt8] { seal.jws(of: payload) }
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
            SignedPart.receipt.fill(Data(signed).base64EncodedString().utf8, into: &filled)
            signatures.filled = String(decoding: filled, as: UTF8.self)
            return signatures
        case .v2:
            let signer = try signers.data(environment)
            var payload = body
            let transaction = try transaction.map { try signer.seal($0, at: madeAt) }
            if let transaction { SignedPart.fillTransaction(transaction.jws, into: &payload) }
            let renewal = try renewal.map { try signer.seal($0, at: madeAt) }
            if let renewal { SignedPart.renewal.fill(renewal.jws, into: &payload) }
            let whole = try signer.seal(payload, at: madeAt).seal
            return NotificationSignatures(
                number: number, head: whole.head, body: whole.signature,
                transaction: transaction?.seal.signature, renewal: renewal?.seal.signature)
        }
    }
}
