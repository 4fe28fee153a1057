import StoreHTTP
import StoreWire
import Testing

@testable import PurchaseBackend

/// The document and the routes say the same.
struct BackendDocumentTests {
    private let document: DocumentReader

    init() throws {
        document = try DocumentReader(BackendDocument.bytes)
    }

    @Test func `every route is described, and nothing else is`() {
        let described = document.operations.map(\.name)
        #expect(described.count == BackendRoutes.all.count)
        #expect(Set(described).symmetricDifference(BackendRoutes.all.map(\.name)) == [])
    }

    @Test func `every operation has a name, a summary, a tag and answers of its own`() {
        let names = document.operations.compactMap { $0.value["operationId"]?.string }
        #expect(Set(names).count == document.operations.count)
        for operation in document.operations {
            #expect(operation.value["summary"]?.string?.isEmpty == false, "\(operation.name)")
            #expect(operation.value["tags"]?.array?.count == 1, "\(operation.name)")
            let statuses = operation.value["responses"]?.object?.map(\.key) ?? []
            #expect(statuses.contains { $0.hasPrefix("2") }, "\(operation.name)")
            for status in ["400", "413", "500", "503"] {
                #expect(statuses.contains(status), "\(operation.name) lacks \(status)")
            }
        }
    }

    @Test func `the operator's paths ask for the operator's token, and no others do`() {
        for operation in document.operations {
            let tokens = operation.value["security"]?.array?.flatMap { $0.object ?? [] } ?? []
            let isOperator = operation.name.contains(" /operator/")
            #expect(
                tokens.contains { $0.key == "operatorToken" } == isOperator, "\(operation.name)")
            #expect(!isOperator || tokens.count == 1, "\(operation.name)")
        }
    }

    @Test func `a body's own limit is that of its route`() {
        for route in BackendRoutes.all {
            let operation = document.operations.first { $0.name == route.name }
            let limit = operation?.value["requestBody"]?["x-bodyBytesMax"]?.integer
            #expect(
                limit.map { Int($0) } ?? BackendLimits.bodyMax == route.bodyBytesMax,
                "\(route.name)")
        }
    }

    @Test(arguments: ["GET", "HEAD"])
    func `the document is served to everybody`(method: String) throws {
        let answer = try Rig().send(method, "/openapi.json")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.body == BackendDocument.bytes)
    }

    @Test func `a route is written as the document writes it`() {
        let route = RouteEntry(method: "GET", pattern: "/new/:id/part", bodyBytesMax: nil)
        #expect(route.name == "GET /new/{id}/part")
    }
}

/// The operations of an OpenAPI document.
struct DocumentReader {
    /// `GET /path/{parameter}` and what is said of it.
    let operations: [(name: String, value: JSONValue)]

    init(_ bytes: [UInt8]) throws {
        let document = try JSONValue(parsing: bytes)
        let paths = try #require(document["paths"]?.object)
        operations = paths.flatMap { path in
            (path.value.object ?? []).filter { !["parameters", "servers"].contains($0.key) }
                .map { (name: "\($0.key.uppercased()) \(path.key)", value: $0.value) }
        }
    }
}

extension RouteEntry {
    /// As a document writes it; a route of every method is described as GET.
    var name: String {
        let path = pattern.split(separator: "/").map { part in
            part.hasPrefix(":") ? "/{\(part.dropFirst())}" : "/\(part)"
        }
        return "\(method == Router<Void>.anyMethod ? "GET" : method) \(path.joined())"
    }
}
