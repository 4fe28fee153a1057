package import StoreVerification

extension CertificateExtension {
    /// Critical; a path length is given for CAs only.
    package static func basicConstraints(isCA: Bool, pathLength: Int64? = nil) -> Self {
        CertificateExtension(
            .basicConstraints, isCritical: true,
            value: DERWriter.sequence(
                isCA ? DERWriter.boolean(true) : [], pathLength.map(DERWriter.integer) ?? []))
    }

    /// keyCertSign and cRLSign, critical.
    package static let certificateAuthorityUsage = CertificateExtension(
        .keyUsage, isCritical: true, value: DERWriter.bitString([0x06], unusedBits: 1))

    /// digitalSignature, critical.
    package static let digitalSignatureUsage = CertificateExtension(
        .keyUsage, isCritical: true, value: DERWriter.bitString([0x80], unusedBits: 7))

    package static func subjectKeyIdentifier(_ keyID: [UInt8]) -> Self {
        CertificateExtension(.subjectKeyIdentifier, value: DERWriter.octetString(keyID))
    }

    package static func authorityKeyIdentifier(_ keyID: [UInt8]) -> Self {
        CertificateExtension(
            .authorityKeyIdentifier,
            value: DERWriter.sequence(
                DERWriter.element(.context(0, constructed: false), keyID)))
    }

    /// A marker holds NULL and is never critical: Java's path validation refuses unknown critical
    /// ones.
    package static func marker(_ type: OID) -> Self {
        CertificateExtension(type, value: DERWriter.null)
    }

    /// The address at which an OCSP responder tells the certificate's status.
    static func ocsp(at address: String) -> Self {
        let place = DERWriter.element(.context(6, constructed: false), Array(address.utf8))
        return CertificateExtension(
            .authorityInformationAccess,
            value: DERWriter.sequence(
                DERWriter.sequence(DERWriter.objectIdentifier(.ocsp), place)))
    }

    /// For one purpose alone.
    static func purpose(_ purpose: OID) -> Self {
        CertificateExtension(
            .extendedKeyUsage, value: DERWriter.sequence(DERWriter.objectIdentifier(purpose)))
    }

    package static func policy(_ policy: OID) -> Self {
        CertificateExtension(
            .certificatePolicies,
            value: DERWriter.sequence(DERWriter.sequence(DERWriter.objectIdentifier(policy))))
    }
}
