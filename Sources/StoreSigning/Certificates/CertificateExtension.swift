/// One extension of a certificate.
package struct CertificateExtension: Hashable, Sendable {
    package let type: OID
    package let isCritical: Bool
    /// The DER inside its OCTET STRING.
    package let value: [UInt8]

    package init(_ type: OID, isCritical: Bool = false, value: [UInt8]) {
        self.type = type
        self.isCritical = isCritical
        self.value = value
    }

    var der: [UInt8] {
        DERWriter.sequence(
            DERWriter.objectIdentifier(type), isCritical ? DERWriter.boolean(true) : [],
            DERWriter.octetString(value))
    }
}

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

    package static func policy(_ policy: OID) -> Self {
        CertificateExtension(
            .certificatePolicies,
            value: DERWriter.sequence(DERWriter.sequence(DERWriter.objectIdentifier(policy))))
    }
}
