extension JSONValue {
    /// The members in their order, or nil when it is not an object.
    package var object: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements, or nil when it is not an array.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, or nil when it is not a string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The number's literal, or nil when it is not a number.
    package var number: String? {
        if case .number(let literal) = self { literal } else { nil }
    }

    /// The whole number, or nil when it is not one or exceeds 64 bits; `1.0` and `1e3` do not
    /// count.
    package var integer: Int64? {
        if case .number(let literal) = self { Int64(literal) } else { nil }
    }

    /// The whole number, also when it is written like `1.0` or `1e3`, as JSON does not tell them
    /// apart.
    package var wholeNumber: Int64? {
        integer ?? number.flatMap { Double($0) }.flatMap { Int64(exactly: $0) }
    }

    package var isNull: Bool { self == .null }

    /// The value of a member, or nil when there is none or this is not an object.
    package subscript(key: String) -> JSONValue? {
        object?.first { $0.key == key }?.value
    }

    /// The value at a path, or nil when nothing is there.
    package subscript(path: JSONPath) -> JSONValue? {
        path.steps.reduce(self) { (place: JSONValue?, step) in
            switch step {
            case .key(let key): place?[key]
            case .index(let index):
                place?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }

    /// The kind of value, for a sentence: `a string`, `null`.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
