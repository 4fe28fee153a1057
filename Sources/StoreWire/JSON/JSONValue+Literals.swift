// JSON written in Swift: `["type": "string", "maxLength": .integer(nameBytesMax)]`.

extension JSONValue: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int64) { self = .integer(number) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSONValue {
    /// This object with the members of another; members with the same key are replaced.
    package func merging(_ other: JSONValue) -> JSONValue {
        guard var members = object, let more = other.object else { return other }
        for member in more {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
