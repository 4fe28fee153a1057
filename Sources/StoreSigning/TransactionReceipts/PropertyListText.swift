/// The old property list text of NeXT and early Mac OS X, as far as transaction receipts use it:
/// one dictionary of quoted texts, one per line.
package enum PropertyListText {
    /// The maximum number of entries read; a receipt's purchase information has up to 24.
    package static let pairsMax = 32
    package static let keyBytesMax = 64

    /// The dictionary with its entries in this order, in ASCII.
    package static func text(_ pairs: [TextPair]) -> [UInt8] {
        var text: [UInt8] = Array("{\n".utf8)
        for pair in pairs {
            text.append(0x09)
            text += quoted(pair.key) + Array(" = ".utf8) + quoted(pair.value)
            text += Array(";\n".utf8)
        }
        text.append(0x7D)
        return text
    }

    /// The entries in order; the format's other features are refused with their position.
    package static func pairs(
        _ bytes: [UInt8], valueBytesMax: Int
    ) throws(PropertyListError) -> [TextPair] {
        var reader = PropertyListReader(bytes)
        return try reader.dictionary(valueBytesMax: valueBytesMax)
    }

    /// Whether a byte represents itself within a text.
    static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x5C
    }

    private static func quoted(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy(isPlain) { return [0x22] + text.utf8 + [0x22] }
        var result: [UInt8] = [0x22]
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: result += [0x5C, UInt8(unit)]
            case 0x20...0x7E: result.append(UInt8(unit))
            default: result += Array("\\U".utf8) + hexadecimal(unit)
            }
        }
        return result + [0x22]
    }

    private static func hexadecimal(_ unit: UInt16) -> [UInt8] {
        let digits = String(unit, radix: 16)
        return Array((String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
    }
}

/// One entry of an old-style property list: a key and its text.
package struct TextPair: Hashable, Sendable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}
