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

    /// That of a JWS that a signer wrote.
    package init(of jws: String) {
        // As bytes, since looking for a character in a text of kilobytes costs more than signing it.
        let bytes = jws.utf8
        guard let first = bytes.firstIndex(of: Self.dot), let last = bytes.lastIndex(of: Self.dot),
            first < last
        else { preconditionFailure("a compact JWS has three parts") }
        self.init(
            head: String(jws[..<first]), signature: String(jws[bytes.index(after: last)...]))
    }

    /// The JWS of the payload that was signed, in ASCII.
    package func jws(of payload: [UInt8]) -> [UInt8] {
        let text = StrictBase64.urlText(payload)
        var jws: [UInt8] = []
        jws.reserveCapacity(head.utf8.count + text.utf8.count + signature.utf8.count + 2)
        jws += head.utf8
        jws.append(Self.dot)
        jws += text.utf8
        jws.append(Self.dot)
        jws += signature.utf8
        return jws
    }
}
