import Foundation
import StoreWire
import Testing

@testable import AppStoreServer

/// `docs/seed.schema.json`, by which editors complete and check seeds: the store's own schemas of a
/// seed and of all that they refer to.
struct SeedSchemaTests {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/seed.schema.json")

    private static func written() throws -> [UInt8] {
        let document = try JSONValue(parsing: StoreDocument.bytes)
        let schemas = try #require(document["components"]?["schemas"])
        var known: [String: JSONValue] = [:]
        var waiting = ["Seed"]
        while let name = waiting.popLast() {
            guard known[name] == nil else { continue }
            let schema = try #require(schemas[name])
            known[name] = schema.moved()
            waiting += schema.references
        }
        let root = known.removeValue(forKey: "Seed") ?? .null
        let definitions = known.sorted { $0.key < $1.key }.map {
            JSONValue.Member($0.key, $0.value)
        }
        let head: JSONValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A world of Bodega",
        ]
        return head.merging(root).merging(["$defs": .object(definitions)]).indentedBytes
    }

    @Test func `the schema for editors is the one that the store documents`() throws {
        let written = try Self.written()
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(written).write(to: Self.path)
        }
        let kept = try String(contentsOf: Self.path, encoding: .utf8)
        #expect(String(decoding: written, as: UTF8.self) == kept, "GOLDEN_UPDATE=1 rewrites it")
    }
}

extension JSONValue {
    private static let place = "#/components/schemas/"

    /// The schemas that it refers to.
    fileprivate var references: [String] {
        switch self {
        case .object(let members):
            members.flatMap { member in
                let name = member.key == "$ref" ? member.value.string : nil
                return name.map { [String($0.dropFirst(Self.place.count))] }
                    ?? member.value.references
            }
        case .array(let items): items.flatMap(\.references)
        default: []
        }
    }

    /// The same with references to `$defs`.
    fileprivate func moved() -> JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { JSONValue.Member($0.key, $0.value.moved()) })
        case .array(let items): .array(items.map { $0.moved() })
        case .string(let text) where text.hasPrefix(Self.place):
            .string("#/$defs/" + text.dropFirst(Self.place.count))
        default: self
        }
    }
}
