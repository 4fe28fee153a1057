import StoreVerification

/// The roles in a chain, with the extensions of Apple's certificates in their order.
extension CertificateTemplate {
    /// A root, which issues its own certificate.
    static func root(
        _ name: DistinguishedName, publicKeyInfo: [UInt8]
    ) throws(DERError) -> CertificateTemplate {
        CertificateTemplate(
            issuer: name.der, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: [
                .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
                .basicConstraints(isCA: true), .certificateAuthorityUsage,
            ])
    }

    /// An authority right below a root, which certifies leaves only. `responder` is the address at
    /// which its status is told.
    static func authority(
        _ name: DistinguishedName, publicKeyInfo: [UInt8], below root: Certificate,
        marker: OID? = nil, responder: String? = nil
    ) throws(DERError) -> CertificateTemplate {
        var extensions: [CertificateExtension] = [
            .basicConstraints(isCA: true, pathLength: 0),
            .authorityKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: root.publicKeyInfo)),
        ]
        if let responder { extensions.append(.ocsp(at: responder)) }
        extensions += [
            .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
            .certificateAuthorityUsage,
        ]
        if let marker { extensions.append(.marker(marker)) }
        return CertificateTemplate(
            issuer: root.subject, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: extensions)
    }

    /// A leaf, which signs data of one kind.
    static func leaf(
        _ name: DistinguishedName, publicKeyInfo: [UInt8], below authority: Certificate,
        policy: OID? = nil, marker: OID, responder: String? = nil
    ) throws(DERError) -> CertificateTemplate {
        var extensions: [CertificateExtension] = [
            .basicConstraints(isCA: false),
            .authorityKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: authority.publicKeyInfo)),
        ]
        if let responder { extensions.append(.ocsp(at: responder)) }
        if let policy { extensions.append(.policy(policy)) }
        extensions += [
            .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
            .digitalSignatureUsage, .marker(marker),
        ]
        return CertificateTemplate(
            issuer: authority.subject, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: extensions)
    }

    /// Whoever answers for what an authority issued. Nobody answers for this one: clients take it as
    /// good (RFC 6960, 4.2.2.2.1).
    static func responder(
        _ name: DistinguishedName, publicKeyInfo: [UInt8], below authority: Certificate
    ) throws(DERError) -> CertificateTemplate {
        CertificateTemplate(
            issuer: authority.subject, subject: name, publicKeyInfo: publicKeyInfo,
            extensions: [
                .basicConstraints(isCA: false),
                .authorityKeyIdentifier(
                    try keyIdentifier(ofPublicKeyInfo: authority.publicKeyInfo)),
                .subjectKeyIdentifier(try keyIdentifier(ofPublicKeyInfo: publicKeyInfo)),
                .digitalSignatureUsage, .purpose(.ocspSigning), .marker(.ocspNoCheck),
            ])
    }
}
