/// An object identifier, kept as the contents of its DER element.
package struct OID: Hashable, Sendable, CustomStringConvertible {
    package let contents: [UInt8]

    package init(contents: [UInt8]) {
        self.contents = contents
    }

    /// The identifier with these arcs, such as `OID(1, 2, 840)`.
    package init(_ first: UInt64, _ second: UInt64, _ rest: UInt64...) {
        precondition(first < 3 && second < 40, "no object identifier starts with these arcs")
        contents = ([first * 40 + second] + rest).flatMap(Self.base128)
    }

    private static func base128(_ arc: UInt64) -> [UInt8] {
        var bytes = [UInt8(arc & 0x7F)]
        var rest = arc >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    /// The arcs with dots between them; an arc above 64 bits prints as `?`.
    package var description: String {
        var arcs: [String] = []
        var arc: UInt64? = 0
        for byte in contents {
            arc = arc.flatMap { $0 >> 57 == 0 ? $0 << 7 | UInt64(byte & 0x7F) : nil }
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty, let both = arc {
                let first = min(both / 40, 2)
                arcs = [String(first), String(both - first * 40)]
            } else {
                arcs.append(arc.map { String($0) } ?? "?")
            }
            arc = 0
        }
        return arcs.joined(separator: ".")
    }
}

extension OID {
    package static let data = OID(1, 2, 840, 113549, 1, 7, 1)
    package static let signedData = OID(1, 2, 840, 113549, 1, 7, 2)
    package static let rsaEncryption = OID(1, 2, 840, 113549, 1, 1, 1)
    package static let sha256WithRSAEncryption = OID(1, 2, 840, 113549, 1, 1, 11)
    package static let ecdsaWithSHA256 = OID(1, 2, 840, 10045, 4, 3, 2)
    package static let ecdsaWithSHA384 = OID(1, 2, 840, 10045, 4, 3, 3)
    package static let ecPublicKey = OID(1, 2, 840, 10045, 2, 1)
    package static let p256 = OID(1, 2, 840, 10045, 3, 1, 7)
    package static let sha1 = OID(1, 3, 14, 3, 2, 26)
    package static let sha256 = OID(2, 16, 840, 1, 101, 3, 4, 2, 1)

    package static let commonName = OID(2, 5, 4, 3)
    package static let organization = OID(2, 5, 4, 10)
    package static let organizationalUnit = OID(2, 5, 4, 11)

    package static let subjectKeyIdentifier = OID(2, 5, 29, 14)
    package static let keyUsage = OID(2, 5, 29, 15)
    package static let subjectAlternativeName = OID(2, 5, 29, 17)
    package static let basicConstraints = OID(2, 5, 29, 19)
    package static let nameConstraints = OID(2, 5, 29, 30)
    package static let certificatePolicies = OID(2, 5, 29, 32)
    package static let authorityKeyIdentifier = OID(2, 5, 29, 35)
    package static let extendedKeyUsage = OID(2, 5, 29, 37)
    package static let authorityInformationAccess = OID(1, 3, 6, 1, 5, 5, 7, 1, 1)
    /// The purpose of a TLS server's certificate.
    package static let serverAuthentication = OID(1, 3, 6, 1, 5, 5, 7, 3, 1)

    /// The purpose of an OCSP responder's certificate.
    package static let ocspSigning = OID(1, 3, 6, 1, 5, 5, 7, 3, 9)
    /// How a certificate's status is found out.
    package static let ocsp = OID(1, 3, 6, 1, 5, 5, 7, 48, 1)
    package static let ocspBasicResponse = OID(1, 3, 6, 1, 5, 5, 7, 48, 1, 1)
    package static let ocspNonce = OID(1, 3, 6, 1, 5, 5, 7, 48, 1, 2)
    /// Says that nobody need ask about a responder's own certificate.
    package static let ocspNoCheck = OID(1, 3, 6, 1, 5, 5, 7, 48, 1, 5)

    /// Marks the certificate that signs receipts.
    package static let receiptSigningMarker = OID(1, 2, 840, 113635, 100, 6, 11, 1)
    /// Marks the intermediate above it.
    package static let intermediateMarker = OID(1, 2, 840, 113635, 100, 6, 2, 1)
    /// Marks the certificate that signs transaction receipts.
    package static let transactionSigningMarker = OID(1, 2, 840, 113635, 100, 6, 5, 1)
    /// The policy named in the certificate that signs receipts.
    package static let receiptSigningPolicy = OID(1, 2, 840, 113635, 100, 5, 6, 1)
}
