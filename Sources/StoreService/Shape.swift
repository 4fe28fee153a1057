package import StoreWire

/// A document's additions to the Swift type of a body: a string is a member's description, an
/// object is merged into the member's schema. The key "" stands for the whole schema.
package typealias Notes = KeyValuePairs<String, JSONValue>

/// A body with notes. Each note names an existing member.
package protocol Described: Decodable {
    static var notes: Notes { get }
    /// Its name among the components; nil to inline it.
    static var schemaName: String? { get }
}

extension Described {
    package static var schemaName: String? { ShapeRecorder.name(of: Self.self) }
}

/// A type that is encoded as one string or number, with its schema in documents.
package struct Scalar: Sendable {
    let type: any (Decodable & SendableMetatype).Type
    let name: String?
    let schema: JSONValue
    /// A valid value, used to continue decoding with the next member.
    let sample: any Decodable & Sendable

    /// With a name, the schema appears once among the components.
    package init<Value: Decodable & Sendable>(
        _ sample: Value, as name: String? = nil, _ schema: JSONValue
    ) {
        type = Value.self
        self.name = name
        self.schema = schema
        self.sample = sample
    }

    /// An enumeration that appears once among the components.
    package static func cases<Value: Decodable & CaseIterable & RawRepresentable & Sendable>(
        of type: Value.Type, as name: String, _ description: String? = nil
    ) -> Scalar where Value.RawValue == String {
        guard let first = type.allCases.first else {
            preconditionFailure("\(type) does not have cases")
        }
        var schema: JSONValue = [:]
        if let description { schema = ["description": .string(description)] }
        let names = type.allCases.map { JSONValue.string($0.rawValue) }
        return Scalar(first, as: name, schema.merging(["enum": .array(names)]))
    }
}

/// Makes JSON schemas of `Decodable` types, by decoding each from a decoder that records the
/// requests. Objects become components, named like their type without `Body`.
package struct ShapeRecorder {
    /// The direction of a body: in a request, an optional member may also be null.
    package enum Direction: Sendable { case request, answer }

    /// The components found so far, by name.
    package private(set) var components: [String: JSONValue] = [:]
    private let scalars: [ObjectIdentifier: Scalar]

    package init(_ scalars: [Scalar]) {
        self.scalars = Dictionary(
            uniqueKeysWithValues: scalars.map { (ObjectIdentifier($0.type), $0) })
    }

    /// The schema of a type, or a reference to its component.
    package mutating func schema(
        of type: any Decodable.Type, in direction: Direction
    ) -> JSONValue {
        if let scalar = scalar(type) {
            guard let name = scalar.name else { return scalar.schema }
            components[name] = scalar.schema
            return .component(name)
        }
        if let cases = caseNames(of: type) { return ["enum": .array(cases)] }
        let found = record(type)
        if let single = found.single { return schema(of: single, in: direction) }
        if let element = found.element {
            return ["type": "array", "items": schema(of: element, in: direction)]
        }
        if let value = found.value {
            return [
                "type": "object", "additionalProperties": schema(of: value, in: direction),
            ]
        }
        return object(found, type, in: direction)
    }

    private mutating func object(
        _ found: Recording, _ type: any Decodable.Type, in direction: Direction
    ) -> JSONValue {
        let notes = (type as? any Described.Type)?.notes ?? [:]
        let described = type as? any Described.Type
        let name = described.map { $0.schemaName } ?? Self.name(of: type)
        if let name {
            if components[name] != nil { return .component(name) }
            // A recursive type finds its name here.
            components[name] = .null
        }
        var members: [JSONValue.Member] = []
        for member in found.members {
            let note = notes.first { $0.key == member.name }?.value
            var schema = schema(of: member.type, in: direction, notedAs: note)
            if !member.isRequired, direction == .request { schema = nullable(schema) }
            members.append(.init(member.name, schema))
        }
        for note in notes where !note.key.isEmpty {
            precondition(
                found.members.contains { $0.name == note.key },
                "\(type) has a note on \(note.key), which is not a member")
        }
        let required = found.members.filter(\.isRequired).map { JSONValue.string($0.name) }
        var schema: JSONValue = ["type": "object"]
        if !required.isEmpty { schema = schema.merging(["required": .array(required)]) }
        schema = schema.merging(["properties": .object(members)])
        for note in notes where note.key.isEmpty { schema = schema.merging(note.value) }
        guard let name else { return schema }
        components[name] = schema
        return .component(name)
    }

    /// A note that names a schema replaces the recorded one, any other refines it.
    private mutating func schema(
        of type: any Decodable.Type, in direction: Direction, notedAs note: JSONValue?
    ) -> JSONValue {
        guard let note else { return schema(of: type, in: direction) }
        // The replaced schema is not recorded, nor are its components.
        if note["$ref"] != nil { return note }
        if note["items"] != nil { return JSONValue.object([.init("type", "array")]).merging(note) }
        let schema = schema(of: type, in: direction)
        if note.string != nil { return schema.merging(["description": note]) }
        let names = ["type", "anyOf", "oneOf", "enum", "const"]
        return names.contains { note[$0] != nil } ? note : schema.merging(note)
    }

    private func nullable(_ schema: JSONValue) -> JSONValue {
        if let type = schema["type"] { return schema.merging(["type": [type, "null"]]) }
        if let cases = schema["enum"]?.array {
            return schema.merging(["enum": .array(cases + [.null])])
        }
        guard let reference = schema["$ref"] else { return schema }
        let rest = (schema.object ?? []).filter { $0.key != "$ref" }
        return JSONValue.object(rest).merging(["anyOf": [["$ref": reference], ["type": "null"]]])
    }

    /// A type's name in documents: Swift's, with its enclosing types, without `Body`.
    fileprivate static func name(of type: any Decodable.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".").dropFirst()
        return parts.map { $0.hasSuffix("Body") ? String($0.dropLast(4)) : String($0) }.joined()
    }

    private func scalar(_ type: any Decodable.Type) -> Scalar? { scalars[ObjectIdentifier(type)] }

    fileprivate func sample<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let sample = scalar(type)?.sample as? Value { return sample }
        if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? Value {
            return first
        }
        let listener = Listener(self)
        return try Value(from: listener)
    }

    private func record(_ type: any Decodable.Type) -> Recording {
        let listener = Listener(self)
        do {
            _ = try type.init(from: listener)
        } catch {
            preconditionFailure("\(type) cannot be recorded: \(error)")
        }
        return listener.recording
    }
}

/// The requests of a type to its decoder.
private struct Recording {
    struct Member {
        let name: String
        let type: any Decodable.Type
        let isRequired: Bool
    }

    var members: [Member] = []
    /// Of a type that is encoded as another.
    var single: (any Decodable.Type)?
    var element: (any Decodable.Type)?
    /// Of a dictionary.
    var value: (any Decodable.Type)?
}

private func caseNames(of type: any Decodable.Type) -> [JSONValue]? {
    guard let cases = type as? any CaseIterable.Type else { return nil }
    func names<Cases: CaseIterable>(_: Cases.Type) -> [JSONValue?] {
        Cases.allCases.map { each in
            switch (each as? any RawRepresentable)?.rawValue {
            case let text as String: .string(text)
            case let number as Int: .integer(number)
            default: nil
            }
        }
    }
    let found = names(cases)
    return found.contains(nil) ? nil : found.compactMap { $0 }
}

private func firstCase(of type: any CaseIterable.Type) -> Any? {
    func first<Cases: CaseIterable>(_: Cases.Type) -> Any? { Cases.allCases.first }
    return first(type)
}

private final class Listener: Decoder {
    let recorder: ShapeRecorder
    var recording = Recording()
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ recorder: ShapeRecorder) { self.recorder = recorder }

    func container<Key>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(listener: self))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(listener: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(listener: self) }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let listener: Listener
    let codingPath: [any CodingKey] = []
    /// A dictionary asks for all keys; it gets one.
    var allKeys: [Key] { Key(stringValue: "key").map { [$0] } ?? [] }

    func contains(_: Key) -> Bool { true }
    func decodeNil(forKey _: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try hear(type, key, isRequired: true)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try hear(type, key, isRequired: false)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try hear(type, key, isRequired: false)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try hear(type, key, isRequired: false)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try hear(type, key, isRequired: false)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try hear(type, key, isRequired: false)
    }

    private func hear<T: Decodable>(_ type: T.Type, _ key: Key, isRequired: Bool) throws -> T {
        // The key of a dictionary's value, a private type of the standard library.
        if "\(Key.self)" == "_DictionaryCodingKey" {
            listener.recording.value = type
        } else {
            listener.recording.members.append(
                .init(name: key.stringValue, type: type, isRequired: isRequired))
        }
        return try listener.recorder.sample(type)
    }

    func nestedContainer<N>(keyedBy _: N.Type, forKey _: Key) throws -> KeyedDecodingContainer<N> {
        throw NotRecorded()
    }
    func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer {
        throw NotRecorded()
    }
    func superDecoder() throws -> any Decoder { throw NotRecorded() }
    func superDecoder(forKey _: Key) throws -> any Decoder { throw NotRecorded() }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let listener: Listener
    let codingPath: [any CodingKey] = []
    let count: Int? = 1
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        listener.recording.element = type
        return try listener.recorder.sample(type)
    }
    func nestedContainer<N>(keyedBy _: N.Type) throws -> KeyedDecodingContainer<N> {
        throw NotRecorded()
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotRecorded() }
    func superDecoder() throws -> any Decoder { throw NotRecorded() }
}

private struct Single: SingleValueDecodingContainer {
    let listener: Listener
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        listener.recording.single = type
        return try listener.recorder.sample(type)
    }
}

/// A body used its decoder's containers in a way that does not map to a schema.
private struct NotRecorded: Error {}
