import Foundation

/// How every JSON body but Apple's own is written and read: sorted keys, plain slashes.
package enum WireJSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package static func decode<Body: Decodable>(_: Body.Type, from bytes: [UInt8]) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(bytes))
    }

    /// What was wrong and where, in one line, for an answer to whoever sent the body.
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
        case DecodingError.typeMismatch(let type, let context):
            "\(place(context.codingPath)) is not a \(type)"
        case DecodingError.valueNotFound(_, let context):
            "\(place(context.codingPath)) is null"
        case DecodingError.dataCorrupted(let context):
            "\(place(context.codingPath)): \(context.debugDescription)"
        default: "the body cannot be read: \(error)"
        }
    }
}
