/// What can be said of a receipt without reading it.
enum ReceiptShape {
    enum Style: String, Sendable {
        case unified
        /// Of one transaction, as in iOS 6: a property list, which begins with a brace.
        case transaction
    }

    static func style(_ bytes: [UInt8]) -> Style { bytes.first == 0x30 ? .unified : .transaction }

    /// Whether the bytes are one whole DER sequence, as every app receipt is, or the property
    /// list of a receipt in the iOS 6 style.
    ///
    /// A store that calls such a receipt malformed (21002) may be in trouble: the status is
    /// documented for both. Of other bytes it can only mean what it says.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0x30 ? isWholeSequence(bytes) : isPropertyList(bytes)
    }

    /// X.690, sections 8.1.3.4 and 8.1.3.5: a length in one byte, or in as many as the first says.
    private static func isWholeSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let first = Int(bytes[1])
        if first < 0x80 { return bytes.count == 2 + first }
        let count = first & 0x7F
        guard (1...4).contains(count), bytes.count > 2 + count else { return false }
        let length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == 2 + count + length
    }

    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let text = bytes.drop { blanks.contains($0) }
        guard text.first == UInt8(ascii: "{"),
            let last = text.last(where: { !blanks.contains($0) })
        else { return false }
        return last == UInt8(ascii: "}")
    }
}
