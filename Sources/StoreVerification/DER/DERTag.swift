/// The identifier byte of a DER element; tag numbers are limited to 30.
package struct DERTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let boolean = DERTag(rawValue: 0x01)
    package static let integer = DERTag(rawValue: 0x02)
    package static let bitString = DERTag(rawValue: 0x03)
    package static let octetString = DERTag(rawValue: 0x04)
    package static let null = DERTag(rawValue: 0x05)
    package static let objectIdentifier = DERTag(rawValue: 0x06)
    package static let enumerated = DERTag(rawValue: 0x0A)
    package static let utf8String = DERTag(rawValue: 0x0C)
    package static let printableString = DERTag(rawValue: 0x13)
    package static let ia5String = DERTag(rawValue: 0x16)
    package static let utcTime = DERTag(rawValue: 0x17)
    package static let generalizedTime = DERTag(rawValue: 0x18)
    package static let sequence = DERTag(rawValue: 0x30)
    package static let set = DERTag(rawValue: 0x31)

    /// `[number]` of a context; a constructed one holds further elements.
    package static func context(_ number: UInt8, constructed: Bool) -> DERTag {
        precondition(number < 31, "context tags above 30 are not written here")
        return DERTag(rawValue: (constructed ? 0xA0 : 0x80) | number)
    }

    package var isConstructed: Bool { rawValue & 0x20 != 0 }

    package var description: String {
        switch self {
        case .boolean: "BOOLEAN"
        case .integer: "INTEGER"
        case .bitString: "BIT STRING"
        case .octetString: "OCTET STRING"
        case .null: "NULL"
        case .objectIdentifier: "OBJECT IDENTIFIER"
        case .enumerated: "ENUMERATED"
        case .utf8String: "UTF8String"
        case .printableString: "PrintableString"
        case .ia5String: "IA5String"
        case .utcTime: "UTCTime"
        case .generalizedTime: "GeneralizedTime"
        case .sequence: "SEQUENCE"
        case .set: "SET"
        default:
            rawValue & 0xC0 == 0x80
                ? "[\(rawValue & 0x1F)]" : "tag 0x\(String(rawValue, radix: 16))"
        }
    }
}
