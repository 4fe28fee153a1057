import Foundation

/// The encoding of every JSON body but Apple's own: sorted keys, unescaped slashes.
package enum WireJSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package static func decode<Body: Decodable>(_: Body.Type, from bytes: [UInt8]) throws -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: Data(bytes))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            // Foundation says that it is not JSON, but not where.
            _ = try JSONValue(parsing: bytes)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [],
                    debugDescription: "a number has the wrong kind or size"))
        }
    }

    /// A body on which something depends: no key may appear twice in one object.
    package static func decodeBody<Body: Decodable>(
        _ type: Body.Type, from bytes: [UInt8]
    ) throws -> Body {
        let body = try decode(type, from: bytes)
        if let error = RepeatedKeySearch.error(in: bytes) { throw error }
        return body
    }

    /// What was wrong and where, in one line, for the answer to the sender of the body.
    package static func explain(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty
                ? "the body"
                : path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
                    .joined(separator: ".")
        }
        return switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(place(context.codingPath + [key])) is missing"
        case let error as JSONParseError: "\(error)"
        case DecodingError.typeMismatch(let type, let context):
            "\(place(context.codingPath)) is not \(word(for: type))"
        case DecodingError.valueNotFound(_, let context):
            "\(place(context.codingPath)) is null"
        case DecodingError.dataCorrupted(let context):
            "\(place(context.codingPath)): \(context.debugDescription)"
        default: "the body cannot be read: \(error)"
        }
    }

    private static func word(for type: any Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Dictionary") { return "an object" }
        if name.hasPrefix("Array") { return "an array" }
        return switch name {
        case "String": "a string"
        case "Bool": "true or false"
        case "Int", "Int64": "a whole number"
        default: "a \(name)"
        }
    }
}
