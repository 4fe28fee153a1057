import StoreHTTP
import Testing

@testable import AppStoreServer
@testable import PurchaseBackend

/// Each server's document and its routes say the same.
struct OpenAPIDocumentTests {
    struct Server: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: [UInt8]
        let routes: [RouteEntry]
        /// The limit of a body that the document leaves unsaid; nil when routes do, too.
        let usualBodyBytesMax: Int?

        func operations() throws -> [DocumentReader.Operation] {
            try DocumentReader(document).operations
        }
    }

    static let servers = [
        Server(
            testDescription: "store", document: StoreDocument.bytes, routes: StoreRoutes.all,
            usualBodyBytesMax: nil),
        Server(
            testDescription: "backend", document: BackendDocument.bytes,
            routes: BackendRoutes.all, usualBodyBytesMax: BackendLimits.bodyMax),
    ]

    @Test(arguments: servers)
    func `every route is described, and nothing else is`(server: Server) throws {
        let described = try server.operations().map(\.name)
        #expect(described.count == server.routes.count)
        #expect(Set(described).symmetricDifference(server.routes.map(\.name)) == [])
    }

    @Test(arguments: servers)
    func `every operation has a name, a summary, a tag and answers of its own`(
        server: Server
    ) throws {
        let operations = try server.operations()
        let names = operations.compactMap { $0.value["operationId"]?.string }
        #expect(Set(names).count == operations.count)
        for operation in operations {
            #expect(operation.value["summary"]?.string?.isEmpty == false, "\(operation.name)")
            #expect(operation.value["tags"]?.array?.count == 1, "\(operation.name)")
            let statuses = operation.statuses
            #expect(statuses.contains { $0.hasPrefix("2") }, "\(operation.name)")
            #expect(Set(statuses).count == statuses.count, "\(operation.name) says one twice")
            for status in ["400", "413", "500", "503"] {
                #expect(statuses.contains(status), "\(operation.name) lacks \(status)")
            }
        }
    }

    @Test(arguments: servers)
    func `a body's own limit is that of its route`(server: Server) throws {
        let operations = try server.operations()
        for route in server.routes where route.method != Router<Void>.anyMethod {
            let operation = try #require(operations.first { $0.name == route.name })
            let limit = operation.bodyBytesMax ?? server.usualBodyBytesMax
            #expect(limit == route.bodyBytesMax, "\(route.name)")
        }
    }

    @Test func `a path of the store asks for the token that its answers speak of`() throws {
        for operation in try DocumentReader(StoreDocument.bytes).operations {
            let isControl = operation.name.contains(" /control/")
            let isDevice = operation.name.contains("/device/")
            let expected = isControl ? ["controlToken"] : isDevice ? ["deviceToken"] : []
            #expect(operation.tokens == expected, "\(operation.name)")
        }
    }

    @Test func `the operator's paths ask for the operator's token, and no others do`() throws {
        for operation in try DocumentReader(BackendDocument.bytes).operations {
            let isOperator = operation.name.contains(" /operator/")
            #expect(operation.tokens.contains("operatorToken") == isOperator, "\(operation.name)")
            #expect(!isOperator || operation.tokens.count == 1, "\(operation.name)")
        }
    }

    @Test func `a route is written as the document writes it`() {
        let route = RouteEntry(method: "GET", pattern: "/new/:id/part", bodyBytesMax: nil)
        #expect(route.name == "GET /new/{id}/part")
    }
}
