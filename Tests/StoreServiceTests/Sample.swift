import StoreHTTP
import StoreService
import StoreWire

/// Where the requests of these tests arrive.
struct Here: ServiceContext {
    struct Broken: Error {}

    func response(for error: any Error) -> HTTPResponse {
        (error as? Refusal)?.response ?? HTTPResponse(status: 500)
    }
}

/// A body with one member.
struct Sample: Codable, Equatable, Sendable {
    var count: Int
}

/// The document of a server with few endpoints.
protocol SampleDocument: ServiceDocument {
    static var endpoints: [Endpoint<Here>] { get }
}

extension SampleDocument {
    static var head: JSONValue { ["openapi": "3.1.0"] }
    static var groups: [DocumentGroup] {
        [DocumentGroup("samples", "Of tests.", endpoints.map(\.operation))]
    }
    static var securitySchemes: JSONValue { [:] }
    static var scalars: [Scalar] { [Scalar(0, ["type": "integer"])] }
    static var schemas: [(String, JSONValue)] { [] }
    static var pathParameters: [Parameter] { [] }
    static var badBodyExample: String { "bad" }
    static var otherCodes: Set<String> { [] }

    static func token(of operation: Operation) -> String? { nil }
    static func usual(_ status: Int, beside own: String?, of operation: Operation) -> String? {
        status == 500 ? "`failed`: it broke." : nil
    }
}
