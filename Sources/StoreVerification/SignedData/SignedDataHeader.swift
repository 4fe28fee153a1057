/// The header of signed data: a JWS that carries the certificates of its signer.
///
/// Source: Apple, *JWSDecodedHeader* (App Store Server API), with the order of the certificates;
/// what Apple signs has had no `kid` since 2022.
package struct SignedDataHeader: JWSHeader {
    /// A transaction has about 4 KB, of which its certificates take most; a notification holds two
    /// such JWS in its own.
    package static let jwsBytesMax = 262_144
    package static let required = "alg and x5c"
    /// Leaf, intermediate and root.
    package static let certificateCount = 3

    package let alg: String
    /// Certificates (DER) in ordinary base64, the leaf first (RFC 7515, 4.1.6).
    package let x5c: [String]

    /// The header of a signer with these certificates (DER), the leaf first.
    package init(certificates: [[UInt8]]) {
        alg = "ES256"
        x5c = certificates.map(StrictBase64.text)
    }

    package func check() throws(JWSProblem) {
        guard x5c.count == Self.certificateCount else {
            throw JWSProblem("x5c does not have \(Self.certificateCount) certificates")
        }
    }
}
