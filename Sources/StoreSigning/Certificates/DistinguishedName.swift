import StoreVerification

/// The name of a certificate's owner or issuer, reduced to the parts used here.
package struct DistinguishedName: Hashable, Sendable {
    /// The longest organizational unit or common name (RFC 5280, appendix A.1).
    package static let textLengthMax = 64

    package let organization: String
    package let organizationalUnit: String?
    package let commonName: String

    package init(organization: String, organizationalUnit: String? = nil, commonName: String) {
        self.organization = organization
        self.organizationalUnit = organizationalUnit
        self.commonName = commonName
    }

    package var der: [UInt8] {
        var parts = [Self.part(.organization, organization)]
        if let organizationalUnit {
            parts.append(Self.part(.organizationalUnit, organizationalUnit))
        }
        parts.append(Self.part(.commonName, commonName))
        return DERWriter.element(.sequence, parts: parts)
    }

    private static func part(_ type: OID, _ text: String) -> [UInt8] {
        DERWriter.set(of: [
            DERWriter.sequence(DERWriter.objectIdentifier(type), DERWriter.utf8String(text))
        ])
    }
}
