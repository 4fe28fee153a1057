import Foundation

/// The members of a JSON object, as they stand in its text.
///
/// It finds where they are and does not judge their values: that is for whoever reads them, unless
/// the text was written by someone trusted.
package struct JSONObjectText {
    /// More than any header, token or payload has; strangers send tokens.
    private static let countMax = 64

    private let bytes: [UInt8]
    /// The names between their quotes, and the values with the blanks around them.
    private let members: [(name: Range<Int>, value: Range<Int>)]

    /// Nil for anything but one object with a number of members that any may have.
    package init?(_ bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        var members: [(name: Range<Int>, value: Range<Int>)] = []
        var name: Range<Int>?
        var (depth, value, index) = (0, 0, 0)
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "\""):
                let end = Self.endOfString(in: bytes, from: index)
                if depth == 1, name == nil { name = index + 1..<max(end - 1, index + 1) }
                index = end - 1
            case UInt8(ascii: ":"):
                if depth == 1 { value = index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 1, let known = name {
                    guard value > known.upperBound, members.count < Self.countMax else {
                        return nil
                    }
                    members.append((known, value..<index))
                    name = nil
                }
                if byte == UInt8(ascii: ",") { break }
                depth -= 1
                if depth == 0, index + 1 < bytes.count { return nil }
            default: break
            }
            index += 1
        }
        guard depth == 0, name == nil else { return nil }
        self.bytes = bytes
        self.members = members
    }

    /// The names of all members, in order; nil when one cannot be read.
    package var names: [String]? {
        var names: [String] = []
        for member in members {
            guard let name = Self.text(bytes[member.name]) else { return nil }
            names.append(name)
        }
        return names
    }

    /// The value of each of these members, nil where there is none, without the blanks around it;
    /// nil when one of them stands there twice.
    package func values(_ names: [String]) -> [ArraySlice<UInt8>?]? {
        var found = [ArraySlice<UInt8>?](repeating: nil, count: names.count)
        for member in members {
            let place = names.firstIndex { $0.utf8.elementsEqual(bytes[member.name]) }
            guard let place else { continue }
            guard found[place] == nil else { return nil }
            found[place] = bytes[member.value].trimmed
        }
        return found
    }

    /// The text between a string's quotes.
    private static func text(_ inside: ArraySlice<UInt8>) -> String? {
        guard inside.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inside, as: UTF8.self)
        }
        let quote = [UInt8(ascii: "\"")]
        return try? JSONDecoder().decode(String.self, from: Data(quote + inside + quote))
    }

    /// The position after the closing quotes.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}

extension ArraySlice<UInt8> {
    /// Without the blanks of JSON around it.
    fileprivate var trimmed: Self {
        func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
        guard let end = lastIndex(where: { !isBlank($0) }) else { return [] }
        return self[...end].drop(while: isBlank)
    }
}
