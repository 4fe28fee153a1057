import Foundation
import StoreVerification

extension CompactJWS {
    /// Signs a payload; header and payload become JSON with their members sorted.
    static func text(
        of payload: some Encodable, header: Header, signedBy key: CurvePrivateKey
    ) throws -> String {
        try text(of: try json(payload), head: try head(header), signedBy: key)
    }

    /// Signs the bytes of a payload under a header that `head` wrote.
    static func text(
        of payload: [UInt8], head: String, signedBy key: CurvePrivateKey
    ) throws -> String {
        String(decoding: try JWSSeal.sealing(payload, head: head, with: key).jws, as: UTF8.self)
    }

    /// A header in base64url.
    static func head(_ header: Header) throws -> String {
        StrictBase64.urlText(try json(header))
    }

    private static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

extension JWSSeal {
    /// Signs a payload under a header in base64url; also returns the JWS, in ASCII.
    static func sealing(
        _ payload: [UInt8], head: String, with key: CurvePrivateKey
    ) throws -> (seal: Self, jws: [UInt8]) {
        var jws = signedBytes(of: payload, head: head)
        let seal = Self(
            head: head, signature: StrictBase64.urlText(try key.signature(over: jws).raw))
        seal.end(&jws)
        return (seal, jws)
    }
}
