import StoreModel
import StoreVerification

/// The two certificates of TLS: an authority for nothing else, and a server below it.
extension CertificateTemplate {
    /// An authority that may certify servers with the names of some subtrees (DER) and nothing
    /// more, so that whoever trusts it does not trust its key with other hosts.
    static func tlsAuthority(
        _ name: DistinguishedName, publicKeyInfo: [UInt8], subtrees: Set<[UInt8]>,
        from notBefore: Timestamp, to notAfter: Timestamp
    ) throws(DERError) -> CertificateTemplate {
        var template = CertificateTemplate(
            issuer: name.der, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: [
                .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
                .basicConstraints(isCA: true, pathLength: 0), .certificateSigningUsage,
                .nameConstraints(permitting: subtrees),
            ])
        (template.notBefore, template.notAfter) = (notBefore, notAfter)
        return template
    }

    static func tlsServer(
        _ name: DistinguishedName, publicKeyInfo: [UInt8], names: Set<ServerName>,
        below authority: Certificate, from notBefore: Timestamp, to notAfter: Timestamp
    ) throws(DERError) -> CertificateTemplate {
        var template = CertificateTemplate(
            issuer: authority.subject, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: [
                .basicConstraints(isCA: false),
                .authorityKeyIdentifier(
                    try keyIdentifier(ofPublicKeyInfo: authority.publicKeyInfo)),
                .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
                .digitalSignatureUsage, .purpose(.serverAuthentication),
                .subjectAlternativeNames(names),
            ])
        (template.notBefore, template.notAfter) = (notBefore, notAfter)
        return template
    }
}

extension CertificateExtension {
    /// keyCertSign alone, critical.
    static let certificateSigningUsage = CertificateExtension(
        .keyUsage, isCritical: true, value: DERWriter.bitString([0x04], unusedBits: 2))

    /// In a fixed order, so that equal names give equal bytes.
    static func subjectAlternativeNames(_ names: Set<ServerName>) -> Self {
        CertificateExtension(.subjectAlternativeName, value: sequence(Set(names.map(\.der))))
    }

    /// Critical, as RFC 5280 demands.
    static func nameConstraints(permitting subtrees: Set<[UInt8]>) -> Self {
        let permitted = DERWriter.element(
            .context(0, constructed: true), parts: ordered(subtrees))
        return CertificateExtension(
            .nameConstraints, isCritical: true, value: DERWriter.sequence(permitted))
    }

    private static func sequence(_ parts: Set<[UInt8]>) -> [UInt8] {
        DERWriter.element(.sequence, parts: ordered(parts))
    }

    private static func ordered(_ parts: Set<[UInt8]>) -> [[UInt8]] {
        parts.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension Certificate {
    /// The subtrees (DER) that its name constraints permit; empty when there are none.
    var permittedSubtrees: Set<[UInt8]> {
        get throws(DERError) {
            guard let found = extensions[.nameConstraints] else { return [] }
            var outer = DERReader(found.value)
            var fields = try outer.enter(.sequence)
            var list = try fields.enter(.context(0, constructed: true))
            var subtrees: Set<[UInt8]> = []
            while !list.isAtEnd {
                subtrees.insert(Array(list.slice(try list.next(.sequence).whole)))
            }
            return subtrees
        }
    }
}
