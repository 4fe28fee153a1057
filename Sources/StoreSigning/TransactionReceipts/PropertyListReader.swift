/// Reads one flat dictionary of quoted texts, in one pass and without nesting.
///
/// No input can make it trap; anything invalid is an error with its position.
struct PropertyListReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The whole input: a dictionary, optionally surrounded by blanks.
    mutating func dictionary(valueBytesMax: Int) throws(PropertyListError) -> [TextPair] {
        try expect(0x7B, "{")
        var pairs: [TextPair] = []
        var keys: Set<String> = []
        while try !closes() {
            let place = position
            guard pairs.count < PropertyListText.pairsMax else {
                throw error("more than \(PropertyListText.pairsMax) entries")
            }
            let key = try text(bytesMax: PropertyListText.keyBytesMax)
            guard keys.insert(key).inserted else {
                throw PropertyListError("the key \"\(key)\" comes twice", byte: place)
            }
            try expect(0x3D, "=")
            let value = try text(bytesMax: valueBytesMax)
            try expect(0x3B, ";")
            pairs.append(TextPair(key, value))
        }
        skipBlanks()
        guard position == bytes.count else { throw error("more after the closing }") }
        return pairs
    }

    private mutating func closes() throws(PropertyListError) -> Bool {
        skipBlanks()
        guard position < bytes.count else { throw error("the text ends inside the dictionary") }
        guard bytes[position] == 0x7D else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8, _ name: String) throws(PropertyListError) {
        skipBlanks()
        guard position < bytes.count, bytes[position] == byte else {
            throw error("\(name) was expected")
        }
        position += 1
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x09, 0x0A, 0x0D, 0x20].contains(bytes[position]) {
            position += 1
        }
    }

    /// A quoted text. Outside escapes it is printable ASCII.
    private mutating func text(bytesMax: Int) throws(PropertyListError) -> String {
        try expect(0x22, "a text in quotes")
        if let plain = plainText(bytesMax: bytesMax) { return plain }
        var units: [UInt16] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x22:
                position += 1
                return try string(units)
            case 0x5C: units.append(try escape())
            case 0x20...0x7E:
                units.append(UInt16(byte))
                position += 1
            default: throw error("byte \(byte) in a text")
            }
            guard units.count <= bytesMax else {
                throw error("a text of more than \(bytesMax) characters")
            }
        }
        throw error("the text ends inside quotes")
    }

    /// The text up to its closing quote when it has no escapes, like the long ones of a receipt;
    /// nil otherwise, with nothing read.
    private mutating func plainText(bytesMax: Int) -> String? {
        let rest = bytes[position...].prefix(bytesMax + 1)
        guard let end = rest.firstIndex(where: { !PropertyListText.isPlain($0) }),
            bytes[end] == 0x22
        else { return nil }
        defer { position = end + 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// `\"`, `\\` or `\U` with four hexadecimal digits.
    private mutating func escape() throws(PropertyListError) -> UInt16 {
        guard position + 1 < bytes.count else { throw error("the text ends inside quotes") }
        switch bytes[position + 1] {
        case 0x22, 0x5C:
            position += 2
            return UInt16(bytes[position - 1])
        case 0x55:
            let digits = bytes[(position + 2)...].prefix(4)
            guard digits.count == 4, digits.allSatisfy(\.isHexadecimal),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw error("an escape without four hexadecimal digits") }
            position += 6
            return unit
        default: throw error("an unsupported escape")
        }
    }

    private func string(_ units: [UInt16]) throws(PropertyListError) -> String {
        let text = String(decoding: units, as: UTF16.self)
        // Half a surrogate pair would be decoded as another character.
        guard text.utf16.elementsEqual(units) else { throw error("half a surrogate pair") }
        return text
    }

    private func error(_ problem: String) -> PropertyListError {
        PropertyListError(problem, byte: position)
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xDF)
    }
}

/// What is wrong with an old-style property list, and at which byte.
package struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
    package let problem: String
    package let byte: Int

    init(_ problem: String, byte: Int) {
        self.problem = problem
        self.byte = byte
    }

    package var description: String { "\(problem), at byte \(byte)" }
}
