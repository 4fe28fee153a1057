import StoreWire
import Testing

/// An OpenAPI document in a form in which only its meaning counts: shared answers, parameters and
/// headers in their places, keys and sets of names sorted.
struct DocumentReader {
    struct Operation {
        /// `GET /path/{parameter}`.
        let name: String
        let value: JSONValue

        /// The names of the tokens it takes.
        var tokens: [String] {
            (value["security"]?.array ?? []).flatMap { $0.object ?? [] }.map(\.key)
        }

        var statuses: [String] { (value["responses"]?.object ?? []).map(\.key) }
    }

    let operations: [Operation]
    private let document: JSONValue

    init(_ bytes: [UInt8]) throws {
        document = try JSONValue(parsing: bytes)
        let paths = try #require(document["paths"]?.object)
        operations = paths.flatMap { path in
            (path.value.object ?? []).filter { $0.key != "servers" }
                .map { Operation(name: "\($0.key.uppercased()) \(path.key)", value: $0.value) }
        }
    }

    var normalForm: [UInt8] {
        let components = document["components"]
        let kept = JSONValue.object(
            ["schemas", "securitySchemes"].map { key in
                JSONValue.Member(key, components?[key] ?? .null)
            })
        return normal(document.merging(["components": kept]), key: "").indentedBytes
    }

    private func normal(_ value: JSONValue, key: String) -> JSONValue {
        switch value {
        case .array(let elements):
            let found = elements.map { normal($0, key: "") }
            guard ["required", "enum", "parameters"].contains(key) else { return .array(found) }
            return .array(found.sorted { "\($0.compactBytes)" < "\($1.compactBytes)" })
        case .object(let members):
            if let resolved = resolved(value) { return normal(resolved, key: key) }
            return .object(
                members.filter { !($0.key == "required" && $0.value == .bool(false)) }
                    .map { .init($0.key, normal($0.value, key: $0.key)) }
                    .sorted { $0.key < $1.key })
        default: return value
        }
    }

    /// What a reference to something other than a schema stands for; its description counts more.
    private func resolved(_ value: JSONValue) -> JSONValue? {
        guard let parts = value["$ref"]?.string?.split(separator: "/"), parts.count == 4,
            parts[2] != "schemas",
            let target = document["components"]?[String(parts[2])]?[String(parts[3])]
        else { return nil }
        return value["description"].map { target.merging(["description": $0]) } ?? target
    }
}
