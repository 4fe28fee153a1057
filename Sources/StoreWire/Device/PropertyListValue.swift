import Foundation
import StoreModel

/// A value of a property list, as in key-value stores.
///
/// Its JSON is an object with one member that names the kind, so that kinds that JSON does not
/// distinguish stay separate: `{"integer": 5}`, `{"data": "AQI="}`,
/// `{"array": [{"boolean": true}]}`.
package indirect enum PropertyListValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    /// An integer too large for the previous case; the same kind in JSON.
    case large(UInt64)
    case real(ExactNumber)
    case string(String)
    /// Seconds since 2001, as in property lists.
    case date(ExactNumber)
    case data([UInt8])
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// The size counted for a number, a truth value or a date, and for each element of a collection
    /// in addition to its own size.
    private static let unitBytes = 8

    /// Its size as counted against `KeyValueLimits.bytesMax`; text and data by their bytes.
    package var byteCount: Int {
        switch self {
        case .boolean, .integer, .large, .real, .date: Self.unitBytes
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array(let elements):
            elements.reduce(0) { $0 + $1.byteCount + Self.unitBytes }
        case .dictionary(let members):
            members.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount + Self.unitBytes }
        }
    }

    /// How deeply arrays and dictionaries are nested; 0 for a value that is neither.
    package var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .dictionary(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}

extension PropertyListValue: Codable {
    /// Steps to a value in a body: a few to the outermost, two for each collection. Deeper values
    /// are not read, since each level takes room on the stack; `depth` gives the exact depth.
    private static let pathMax = 2 * KeyValueLimits.depthMax + 8

    private enum Kind: String, CodingKey, CaseIterable {
        case boolean, integer, real, string, date, data, array, dictionary
    }

    /// The name of any member.
    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyName.self).allKeys
        let container = try decoder.container(keyedBy: Kind.self)
        func broken(_ why: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: why))
        }
        guard let kind = container.allKeys.first, names.count == 1 else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw broken("it must have one member, of \(kinds)")
        }
        switch kind {
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: kind))
        case .integer:
            if let small = try? container.decode(Int64.self, forKey: kind) {
                self = .integer(small)
            } else {
                self = .large(try container.decode(UInt64.self, forKey: kind))
            }
        case .real: self = .real(try container.decode(ExactNumber.self, forKey: kind))
        case .string: self = .string(try container.decode(String.self, forKey: kind))
        case .date: self = .date(try container.decode(ExactNumber.self, forKey: kind))
        case .data: self = .data([UInt8](try container.decode(Data.self, forKey: kind)))
        case .array, .dictionary:
            guard decoder.codingPath.count < Self.pathMax else {
                throw broken(
                    "it has more than \(KeyValueLimits.depthMax) nested collections")
            }
            self =
                kind == .array
                ? .array(try container.decode([Self].self, forKey: kind))
                : .dictionary(try container.decode([String: Self].self, forKey: kind))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .boolean(let flag): try container.encode(flag, forKey: .boolean)
        case .integer(let number): try container.encode(number, forKey: .integer)
        case .large(let number): try container.encode(number, forKey: .integer)
        case .real(let number): try container.encode(number, forKey: .real)
        case .string(let text): try container.encode(text, forKey: .string)
        case .date(let seconds): try container.encode(seconds, forKey: .date)
        case .data(let bytes): try container.encode(Data(bytes), forKey: .data)
        case .array(let elements): try container.encode(elements, forKey: .array)
        case .dictionary(let members): try container.encode(members, forKey: .dictionary)
        }
    }
}
