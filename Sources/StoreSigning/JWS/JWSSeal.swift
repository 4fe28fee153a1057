/// What a compact JWS adds to its payload, for whoever keeps the payload as it was signed.
///
/// Source: RFC 7515, 7.1.
package struct JWSSeal: Hashable, Sendable {
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
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        precondition(parts.count == 3, "a compact JWS has three parts")
        self.init(head: String(parts[0]), signature: String(parts[2]))
    }

    /// The JWS of the payload that was signed.
    package func jws(of payload: [UInt8]) -> String {
        "\(head).\(StrictBase64.urlText(payload)).\(signature)"
    }
}
