/// A key that was pressed.
enum Key: Equatable {
    case up, down, left, right, enter, tab, backTab, escape
    case character(Character)
    case control(Character)
}

/// Finds the keys in a terminal's input, however it is split.
struct KeyReader {
    private var bytes: [UInt8] = []

    /// The keys in the input so far. An escape alone, followed by nothing, is the Escape key.
    mutating func read(_ new: [UInt8]) -> [Key] {
        bytes += new
        var keys: [Key] = []
        while let (key, count) = next() {
            bytes.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The next key and its length; nil when the rest of it has not arrived.
    private func next() -> (key: Key?, count: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x0A, 0x0D: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x00...0x1A: return (.control(Character(UnicodeScalar(first + 0x60))), 1)
        case 0x20...0x7E: return (.character(Character(UnicodeScalar(first))), 1)
        // Letters beyond ASCII are ignored.
        default: return (nil, 1)
        }
    }

    private func sequence() -> (key: Key?, count: Int)? {
        guard bytes.count > 1 else { return (.escape, 1) }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) })
        else { return nil }
        switch bytes[end] {
        case UInt8(ascii: "A"): return (.up, end + 1)
        case UInt8(ascii: "B"): return (.down, end + 1)
        case UInt8(ascii: "C"): return (.right, end + 1)
        case UInt8(ascii: "D"): return (.left, end + 1)
        case UInt8(ascii: "Z"): return (.backTab, end + 1)
        default: return (nil, end + 1)
        }
    }
}
