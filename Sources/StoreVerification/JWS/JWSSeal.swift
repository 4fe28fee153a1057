/// What a compact JWS adds to its payload, for whoever keeps the payload as it was signed.
///
/// Source: RFC 7515, 7.1.
package struct JWSSeal: Hashable, Sendable {
    private static let dot = UInt8(ascii: ".")

    /// The header in base64url; most of the text, where it holds certificates.
    package let head: String
    /// The signature in base64url.
    package let signature: String

    package init(head: String, signature: String) {
        self.head = head
        self.signature = signature
    }

    /// The JWS of the payload that was signed, in ASCII.
    package func jws(of payload: [UInt8]) -> [UInt8] {
        var jws = Self.signedBytes(of: payload, head: head)
        end(&jws)
        return jws
    }

    package static func signedBytes(of payload: [UInt8], head: String) -> [UInt8] {
        var bytes = Array(head.utf8)
        bytes.append(dot)
        bytes += StrictBase64.urlLetters(payload)
        return bytes
    }

    package func end(_ jws: inout [UInt8]) {
        jws.append(Self.dot)
        jws += signature.utf8
    }
}
