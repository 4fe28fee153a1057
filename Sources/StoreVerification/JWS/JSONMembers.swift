import Foundation

/// A JSON object whose members all have distinct names, as a JWS requires (RFC 7515, 4).
///
/// Foundation reads one of two members with the same name, without documenting which.
package struct JSONMembers<Value: Decodable> {
    package let value: Value
    package let names: Set<String>

    /// Nil for anything but an object of this shape, in UTF-8 from its first byte to its last.
    package init?(_ bytes: [UInt8]) {
        // JSON in UTF-8 never contains a zero byte; every other encoding that Foundation knows
        // does.
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"),
            !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil,
            let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)),
            let names = JSONObjectText(bytes)?.names, Set(names).count == names.count
        else { return nil }
        self.value = value
        self.names = Set(names)
    }
}
