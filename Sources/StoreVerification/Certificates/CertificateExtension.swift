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

    /// Reads the next one of a list.
    package init(_ list: inout DERReader) throws(DERError) {
        var item = try list.enter(.sequence)
        type = try item.objectIdentifier()
        isCritical = item.nextTag == .boolean ? try item.boolean() : false
        value = try item.octets()
        try item.finish()
    }

    package var der: [UInt8] {
        DERWriter.sequence(
            DERWriter.objectIdentifier(type), isCritical ? DERWriter.boolean(true) : [],
            DERWriter.octetString(value))
    }
}
