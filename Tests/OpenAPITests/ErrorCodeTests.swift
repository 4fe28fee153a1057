import Foundation
import StoreWire
import Testing

@testable import AppStoreServer
@testable import PurchaseBackend

/// The codes of errors: those of the sources and those of the documents are the same.
struct ErrorCodeTests {
    struct Server: Sendable, CustomTestStringConvertible {
        let folder: String
        let document: [UInt8]
        var testDescription: String { folder }
    }

    @Test(arguments: [
        Server(folder: "AppStoreServer", document: StoreDocument.bytes),
        Server(folder: "PurchaseBackend", document: BackendDocument.bytes),
    ])
    func `every error code is described by an endpoint and no other code is`(
        server: Server
    ) throws {
        let shared = ["StoreHTTP", "StoreService", "StoreConsole"]
        let found = try Set(
            ([server.folder] + shared).flatMap(Self.sources).flatMap(Self.codes))
        let schemas = try JSONValue(parsing: server.document)["components"]?["schemas"]
        let described = Set(schemas?["ErrorCode"]?["enum"]?.array?.compactMap(\.string) ?? [])
        #expect(described.count > 10)
        #expect(found.symmetricDifference(described).sorted() == [])
    }

    @Test func `error codes are found in every spelling the sources use`() {
        #expect(Self.codes(in: "throw Refusal(\n    422, \"badField\",") == ["badField"])
        #expect(Self.codes(in: "self.init(\n 409, \"nameTaken\"") == ["nameTaken"])
        #expect(Self.codes(in: "Self(\n 409, \"nameTaken\"") == ["nameTaken"])
        #expect(Self.codes(in: "error(\n        503, code: \"stopping\"") == ["stopping"])
    }

    static func codes(in text: String) -> [String] {
        text.matches(of: /(?:(?:Refusal|Self|\.init)\(\s*\d{3},\s*|\bcode: )"(\w+)"/).map {
            String($0.1)
        }
    }

    private static func sources(of module: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "Sources/\(module)").path
        let paths = try #require(FileManager.default.subpaths(atPath: folder))
        return try paths.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }
}
