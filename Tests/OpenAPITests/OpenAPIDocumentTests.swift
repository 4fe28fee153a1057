import Foundation
import Testing

@testable import AppStoreServer
@testable import PurchaseBackend

struct OpenAPIDocumentTests {
    struct Server: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: [UInt8]
    }

    static let servers = [
        Server(testDescription: "store", document: StoreDocument.bytes),
        Server(testDescription: "backend", document: BackendDocument.bytes),
    ]

    /// A change of a server's interface shows here; `GOLDEN_UPDATE=1` takes it over.
    @Test(arguments: servers)
    func `an OpenAPI document matches its golden file`(server: Server) throws {
        let name = "\(server.testDescription).json"
        let found = try DocumentReader(server.document).normalForm
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] != nil {
            let place = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Golden/\(name)")
            try Data(found).write(to: place)
        }
        let golden = try #require(
            Bundle.module.url(forResource: "Golden/\(name)", withExtension: nil))
        let expected = try Data(contentsOf: golden)
        // A comparison that the testing library explains takes minutes over half a megabyte.
        let isSame = found == Array(expected)
        let first = zip(lines(found), lines(Array(expected))).first { $0 != $1 }
        #expect(isSame, "the first line that differs: \(first ?? ("", ""))")
    }

    private func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: servers)
    func `every operation has its own name, a summary, a tag and the usual responses`(
        server: Server
    ) throws {
        let operations = try DocumentReader(server.document).operations
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

    @Test func `every group of endpoints is in the document`() throws {
        let described = try DocumentReader(StoreDocument.bytes).operations.count
        let endpoints = StoreRoutes.nouns.map {
            $0.root.count + $0.control.count + $0.environment.count
        }
        #expect(described == endpoints.reduce(0, +))
        let backend = try DocumentReader(BackendDocument.bytes).operations.count
        #expect(backend == BackendRoutes.nouns.map { $0.all.count }.reduce(0, +))
    }

    @Test func `a store path requires the token its responses mention`() throws {
        for operation in try DocumentReader(StoreDocument.bytes).operations {
            let isControl =
                operation.name.contains(" /control/")
                || operation.name.hasSuffix(" /console/v1/codes")
            let isConsole = operation.name.hasSuffix(" /console/v1/session")
            // Devices that wait together name theirs in the body.
            let isDevice =
                operation.name.contains("/device/")
                && !operation.name.hasSuffix(" /device/v1/waits")
            let isServer = operation.name.contains("/inApps/")
            let isMetrics = operation.name.hasSuffix(" /metrics")
            let expected =
                isControl
                ? ["controlToken"]
                : isDevice
                    ? ["deviceToken"]
                    : isServer
                        ? ["serverToken"]
                        : isMetrics
                            ? ["metricsToken"] : isConsole ? ["consoleSession"] : []
            #expect(operation.tokens == expected, "\(operation.name)")
        }
    }

    @Test func `the operator's paths alone require the operator's token`() throws {
        for operation in try DocumentReader(BackendDocument.bytes).operations {
            let isOperator =
                operation.name.contains(" /operator/")
                || operation.name.hasSuffix(" /console/v1/codes")
            #expect(operation.tokens.contains("operatorToken") == isOperator, "\(operation.name)")
            #expect(!isOperator || operation.tokens.count == 1, "\(operation.name)")
        }
    }
}
