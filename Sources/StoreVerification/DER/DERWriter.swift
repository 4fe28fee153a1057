package import StoreModel

/// Writes DER: each function gives one whole element.
package enum DERWriter {
    package static func element(_ tag: DERTag, _ contents: [UInt8]) -> [UInt8] {
        element(tag, parts: [contents])
    }

    /// An element whose contents are the concatenation of these bytes.
    package static func element(_ tag: DERTag, parts: [[UInt8]]) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 6)
        appendHeader(tag, count, to: &bytes)
        for part in parts { bytes.append(contentsOf: part) }
        return bytes
    }

    /// How many bytes the contents of an integer take.
    package static func integerByteCount(_ value: Int64) -> Int {
        (64 - (value ^ (value >> 63)).leadingZeroBitCount) / 8 + 1
    }

    /// Adds a whole INTEGER to some bytes.
    package static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
        let count = integerByteCount(value)
        bytes.append(DERTag.integer.rawValue)
        bytes.append(UInt8(count))
        for place in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Int64(place)))
        }
    }

    /// Adds the tag and length of an element to some bytes.
    package static func appendHeader(_ tag: DERTag, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(tag.rawValue)
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            bytes.append(contentsOf: length(count))
        }
    }

    /// How many bytes a length takes.
    package static func lengthByteCount(_ count: Int) -> Int {
        count < 0x80 ? 1 : 1 + (64 - count.leadingZeroBitCount + 7) / 8
    }

    /// A length in its shortest form.
    package static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = bigEndian(UInt64(count))
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        element(.sequence, parts: parts)
    }

    /// `SET OF` with its elements in DER's order: by their encoded bytes.
    package static func set(of parts: [[UInt8]]) -> [UInt8] {
        element(.set, parts: parts.sorted { $0.lexicographicallyPrecedes($1) })
    }

    package static func integer(_ value: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        appendInteger(value, to: &bytes)
        return bytes
    }

    /// A non-negative integer of any size from its big-endian bytes.
    package static func unsignedInteger(_ bytes: [UInt8]) -> [UInt8] {
        var magnitude = Array(bytes.drop { $0 == 0 })
        if magnitude.first ?? 0x80 >= 0x80 { magnitude.insert(0, at: 0) }
        return element(.integer, magnitude)
    }

    package static func boolean(_ value: Bool) -> [UInt8] {
        element(.boolean, [value ? 0xFF : 0x00])
    }

    package static let null: [UInt8] = [0x05, 0x00]

    package static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(.octetString, bytes) }

    package static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(.bitString, [unusedBits] + bytes)
    }

    package static func utf8String(_ text: String) -> [UInt8] {
        element(.utf8String, Array(text.utf8))
    }

    /// Text of ASCII characters only, as ensured by the caller.
    package static func ia5String(_ text: String) -> [UInt8] {
        precondition(text.utf8.allSatisfy { $0 < 0x80 }, "an IA5String holds ASCII only")
        return element(.ia5String, Array(text.utf8))
    }

    package static func objectIdentifier(_ oid: OID) -> [UInt8] {
        element(.objectIdentifier, oid.contents)
    }

    /// A certificate's time: UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280, 4.1.2.5).
    package static func time(_ moment: Timestamp) -> [UInt8] {
        let date = CalendarDate(moment)
        return (1950...2049).contains(date.year)
            ? element(.utcTime, Array(digits(of: date).dropFirst(2))) : generalizedTime(moment)
    }

    /// To the second.
    package static func generalizedTime(_ moment: Timestamp) -> [UInt8] {
        element(.generalizedTime, digits(of: CalendarDate(moment)))
    }

    private static func digits(of date: CalendarDate) -> [UInt8] {
        date.rfc3339.utf8.filter { (0x30...0x39).contains($0) } + [0x5A]
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
        return Array(bytes.drop { $0 == 0 })
    }
}
