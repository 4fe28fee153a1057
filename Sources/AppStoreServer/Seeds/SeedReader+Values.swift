import StoreModel
import StoreRules
import StoreService
import StoreWire

// Typed values, or errors with their place.
extension SeedReader {
    /// The longest text of a field, but for catalogues.
    static let textBytesMax = 4_096

    func failure(_ message: String, at path: JSONPath) -> Refusal {
        Refusal(422, "badSeed", "\(document.place(of: path)): \(path): \(message)")
    }

    /// Adds the place to another check's refusal.
    func checking<Value>(_ path: JSONPath, _ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch let refusal as Refusal where refusal.code != "badSeed" {
            throw failure(refusal.message, at: path)
        }
    }

    /// The member of an object, or nil when it is missing or null.
    func member(_ key: String, of object: JSONValue) -> JSONValue? {
        object[key].flatMap { $0.isNull ? nil : $0 }
    }

    /// An object that has no other keys than these.
    func object(_ value: JSONValue, at path: JSONPath, keys: Set<String>) throws -> JSONValue {
        guard let members = value.object else {
            throw failure("expected an object, found \(value.kindName)", at: path)
        }
        if let unknown = members.first(where: { !keys.contains($0.key) }) {
            throw failure(
                "is unknown here; the known keys are \(keys.sorted().joined(separator: ", "))",
                at: path.appending(unknown.key))
        }
        return value
    }

    func objects(
        _ key: String, of object: JSONValue, at path: JSONPath = .root, countMax: Int,
        keys: Set<String>
    ) throws -> [(JSONValue, JSONPath)] {
        try items(key, of: object, at: path, countMax: countMax).map { item, path in
            (try self.object(item, at: path, keys: keys), path)
        }
    }

    /// An array of texts, each with its path; empty when it is missing.
    func texts(
        _ key: String, of object: JSONValue, at path: JSONPath, countMax: Int
    ) throws -> [(String, JSONPath)] {
        try items(key, of: object, at: path, countMax: countMax).map { item, path in
            (try text(item, at: path), path)
        }
    }

    private func items(
        _ key: String, of object: JSONValue, at path: JSONPath, countMax: Int
    ) throws -> [(JSONValue, JSONPath)] {
        let path = path.appending(key)
        guard let value = member(key, of: object) else { return [] }
        guard let items = value.array else {
            throw failure("expected an array, found \(value.kindName)", at: path)
        }
        guard items.count <= countMax else {
            throw failure("has \(items.count) items; \(countMax) are allowed", at: path)
        }
        return items.enumerated().map { ($1, path.appending($0)) }
    }

    func text(_ key: String, of object: JSONValue, at path: JSONPath) throws -> String? {
        try member(key, of: object).map { try text($0, at: path.appending(key)) }
    }

    private func text(_ value: JSONValue, at place: JSONPath) throws -> String {
        guard let text = value.string else {
            throw failure("expected a string, found \(value.kindName)", at: place)
        }
        guard text.utf8.count <= Self.textBytesMax else {
            throw failure("the text is longer than \(Self.textBytesMax) bytes", at: place)
        }
        return text
    }

    func required(_ key: String, of object: JSONValue, at path: JSONPath) throws -> String {
        guard let text = try text(key, of: object, at: path) else {
            throw failure(
                object[key] == nil ? "is missing" : "is null", at: path.appending(key))
        }
        return text
    }

    func integer(_ key: String, of object: JSONValue, at path: JSONPath) throws -> Int64? {
        guard let value = member(key, of: object) else { return nil }
        guard let number = value.integer else {
            throw failure("is not a whole number", at: path.appending(key))
        }
        return number
    }

    func flag(_ key: String, of object: JSONValue, at path: JSONPath) throws -> Bool? {
        guard let value = member(key, of: object) else { return nil }
        guard let flag = value.bool else {
            throw failure(
                "expected true or false, found \(value.kindName)", at: path.appending(key))
        }
        return flag
    }

    /// A time that a world's clock can show, written as `2026-03-31T12:00:00Z` or `2026-03-31`.
    func time(_ key: String, of object: JSONValue, at path: JSONPath) throws -> Timestamp? {
        guard let text = try text(key, of: object, at: path) else { return nil }
        guard let time = Timestamp(rfc3339: text), WorldClock.range.contains(time) else {
            throw failure(
                "\"\(text.prefix(40))\" is not a time from 2000 to 2099; write 2026-03-31 or "
                    + "2026-03-31T12:00:00Z", at: path.appending(key))
        }
        return time
    }
}
