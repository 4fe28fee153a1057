/// A JSON value that keeps what Codable loses: the order of members and the spelling of numbers.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The literal as written, such as `1.50`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a whole number.
    package static func integer(_ number: some BinaryInteger) -> JSONValue {
        .number(String(number))
    }
}
