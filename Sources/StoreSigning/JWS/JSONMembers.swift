import Foundation

/// A JSON object whose members all have distinct names, as a JWS requires (RFC 7515, 4).
///
/// Foundation reads one of two members with the same name, without documenting which.
struct JSONMembers<Value: Decodable> {
    /// More than any header, token or payload has; strangers send tokens.
    private static var namesMax: Int { 64 }

    let value: Value
    let names: Set<String>

    /// Nil for anything but an object of this shape, in UTF-8 from its first byte to its last.
    init?(_ bytes: [UInt8]) {
        // JSON in UTF-8 never contains a zero byte; every other encoding that Foundation knows
        // does.
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"),
            !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil,
            let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)),
            let names = Self.names(in: bytes), names.count <= Self.namesMax,
            Set(names).count == names.count
        else { return nil }
        self.value = value
        self.names = Set(names)
    }

    /// The names of the members of an object that was already read, in order.
    private static func names(in bytes: [UInt8]) -> [String]? {
        var names: [String] = []
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let end = endOfString(in: bytes, from: index)
                if depth == 1, isName(endingAt: end, in: bytes) {
                    guard names.count <= namesMax, let name = name(bytes[index..<end]) else {
                        return nil
                    }
                    names.append(name)
                }
                index = end - 1
            default: break
            }
            index += 1
        }
        return names
    }

    /// A name between its quotes.
    private static func name(_ text: ArraySlice<UInt8>) -> String? {
        text.contains(UInt8(ascii: "\\"))
            ? try? JSONDecoder().decode(String.self, from: Data(text))
            : String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    }

    /// The position after the closing quotes.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    private static func isName(endingAt end: Int, in bytes: [UInt8]) -> Bool {
        bytes[end...].first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } == UInt8(ascii: ":")
    }
}
