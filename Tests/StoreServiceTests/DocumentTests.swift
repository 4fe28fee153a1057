import StoreHTTP
import StoreService
import StoreWire
import Testing

/// Faults of endpoints that end the process when their document is written, which tests do.
struct DocumentTests {
    private enum Sound: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "POST", "/samples/:number", "makeSample", "Make one",
                takes: [Parameter(.path, "number", schema: ["type": "integer"])],
                answers: [Answer(201, "Made.")], refuses: [409: "`known`, `full`: why."],
                .now { (_, body: Sample) in body })
        ]
    }

    @Test func `what an endpoint says once stands in its document`() throws {
        let document = try JSONValue(parsing: Sound.write())
        let operation = try #require(document["paths"]?["/samples/{number}"]?["post"])
        let schema: JSONValue = ["$ref": "#/components/schemas/Sample"]
        let media = "application/json"
        #expect(operation["requestBody"]?["content"]?[media]?["schema"] == schema)
        #expect(operation["responses"]?["201"]?["content"]?[media]?["schema"] == schema)
        #expect(operation["parameters"]?.array?.first?["name"] == "number")
        let codes = document["components"]?["schemas"]?["ErrorCode"]?["enum"]
        #expect(codes == ["failed", "full", "known"])
    }

    private enum WithErrors: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them", answers: ["All."],
                refuses: [429: .whole("", headers: ["Retry-After": ["schema": [:]]])],
                errors: [.invalidTransactionID, .transactionIDNotFound, .rateLimitExceeded],
                .now { _ in Sample(count: 1) })
        ]
    }

    @Test func `errors of the App Store Server API are listed by status, with their schema`()
        throws
    {
        let document = try JSONValue(parsing: WithErrors.write())
        let answers = try #require(document["paths"]?["/samples"]?["get"]?["responses"])
        guard case .object(let members) = answers else {
            Issue.record("no answers")
            return
        }
        #expect(members.map(\.key) == ["200", "400", "404", "429", "500"])
        let own: JSONValue = .component("ServerAPIError")
        func content(_ schema: JSONValue) -> JSONValue { ["application/json": ["schema": schema]] }
        #expect(
            answers["400"] == [
                "description": "`4000006`: Invalid transaction id. `4000000`: Bad request.",
                "content": content(own),
            ])
        #expect(
            answers["429"] == [
                "description": "`4290000`: Rate limit exceeded.",
                "headers": ["Retry-After": ["schema": [:]]], "content": content(own),
            ])
        #expect(
            answers["500"] == [
                "description": """
                `5000000`: An unknown error occurred. `5000001`: An unknown error occurred. Please \
                try again. `failed`: it broke.
                """, "content": content(["anyOf": [own, .component("Error")]]),
            ])
        let schemas = document["components"]?["schemas"]
        #expect(
            schemas?["ServerAPIError"]?["properties"]?["errorCode"]?["enum"] == [
                4_000_000, 4_000_006, 4_040_010, 4_290_000, 5_000_000, 5_000_001,
            ])
        #expect(schemas?["ErrorCode"]?["enum"] == ["failed"])
        #expect(
            try JSONValue(parsing: Sound.write())["components"]?["schemas"]?["ServerAPIError"]
                == nil)
    }

    private enum ErrorTwice: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them", answers: ["All."],
                errors: [.transactionIDNotFound, .generalInternal],
                .now { _ in Sample(count: 1) })
        ]
    }

    private enum CodeTwice: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them", answers: ["All."],
                refuses: [404: "`gone`: it was.", 409: "`known`: why. `gone`: it was."],
                .now { _ in Sample(count: 1) })
        ]
    }

    private enum CodeOfAll: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them", answers: ["All."],
                refuses: [409: "`failed`: as everywhere."], .now { _ in Sample(count: 1) })
        ]
    }

    private enum Undescribed: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples/:number", "showSample", "Show one", answers: ["One."],
                .now { _ in Sample(count: 1) })
        ]
    }

    private enum NotInPath: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them",
                takes: [Parameter(.path, "number", schema: ["type": "integer"])],
                answers: ["All."], .now { _ in Sample(count: 1) })
        ]
    }

    struct Misnoted: Codable, Described, Sendable {
        let count: Int
        static let notes: Notes = ["number": "How many."]
    }

    private enum NoMember: SampleDocument {
        static let endpoints: [Endpoint<Here>] = [
            Endpoint(
                "GET", "/samples", "listSamples", "List them", answers: ["All."],
                .now { _ in Misnoted(count: 1) })
        ]
    }

    @Test func `a code that an endpoint says twice ends the process`() async {
        await #expect(processExitsWith: .failure) { _ = CodeTwice.write() }
    }

    @Test func `so does an error that comes from every address anyway`() async {
        await #expect(processExitsWith: .failure) { _ = ErrorTwice.write() }
    }

    @Test func `so does one that the server says of all endpoints with another status`() async {
        await #expect(processExitsWith: .failure) { _ = CodeOfAll.write() }
    }

    @Test func `a path's parameter that nobody describes ends the process`() async {
        await #expect(processExitsWith: .failure) { _ = Undescribed.write() }
    }

    @Test func `so does one that is described and not in the path`() async {
        await #expect(processExitsWith: .failure) { _ = NotInPath.write() }
    }

    @Test func `a note of a member that the body has not ends the process`() async {
        await #expect(processExitsWith: .failure) { _ = NoMember.write() }
    }
}
