/// Header fields in order; names are case-insensitive.
package struct HTTPHeaders: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init(_ pairs: [(String, String)] = []) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The first field with a name.
    package subscript(_ name: String) -> String? {
        fields.first { isSameName($0.name, name) }?.value
    }

    /// The number of fields with a name.
    package func count(of name: String) -> Int {
        fields.count { isSameName($0.name, name) }
    }

    /// The token of `Authorization: Bearer …`.
    package var bearerToken: String? {
        let scheme = "bearer "
        guard let value = self["Authorization"],
            isSameName(String(value.prefix(scheme.utf8.count)), scheme)
        else { return nil }
        let token = value.utf8.dropFirst(scheme.utf8.count)
        return token.isEmpty ? nil : String(token)
    }
}

/// Compares ASCII letters case-insensitively, without creating strings.
func isSameName(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
        && zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
}

private func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
}
