/// A signature of ECDSA on P-256: two numbers of 32 bytes.
package struct CurveSignature: Hashable, Sendable {
    package static let numberBytes = 32

    /// Both numbers, one after the other, as in a JWS (RFC 7518, 3.4).
    package let raw: [UInt8]

    /// Nil for any other length, and when a number is 0.
    package init?(raw: [UInt8]) {
        guard raw.count == 2 * Self.numberBytes,
            raw.prefix(Self.numberBytes).contains(where: { $0 != 0 }),
            raw.suffix(Self.numberBytes).contains(where: { $0 != 0 })
        else { return nil }
        self.raw = raw
    }

    /// Reads `SEQUENCE { INTEGER r, INTEGER s }`, strictly and to its last byte.
    package init(der: [UInt8]) throws(DERError) {
        var outer = DERReader(der)
        var reader = try outer.enter(.sequence)
        try outer.finish()
        raw = try Self.number(&reader) + Self.number(&reader)
        try reader.finish()
    }

    package var der: [UInt8] {
        DERWriter.sequence(
            DERWriter.unsignedInteger(Array(raw.prefix(Self.numberBytes))),
            DERWriter.unsignedInteger(Array(raw.suffix(Self.numberBytes))))
    }

    /// A number of at least 1, padded with leading zeros to 32 bytes.
    private static func number(_ reader: inout DERReader) throws(DERError) -> [UInt8] {
        let element = try reader.integerElement()
        let bytes = reader.contents(of: element)
        let magnitude = bytes.drop { $0 == 0 }
        guard bytes[0] < 0x80, !magnitude.isEmpty, magnitude.count <= numberBytes else {
            throw DERError("not a number of P-256", byte: element.start)
        }
        return [UInt8](repeating: 0, count: numberBytes - magnitude.count) + magnitude
    }
}
