import StoreHTTP
import StoreService
import Testing

/// The errors of the App Store Server API: their table, and how an endpoint answers with them.
struct ServerAPIErrorTests {
    @Test(arguments: ServerAPIError.allCases)
    func `a number has seven digits and begins with its status`(error: ServerAPIError) {
        let digits = String(error.rawValue)
        #expect(digits.count == 7)
        #expect(digits.hasPrefix(String(error.status)))
        #expect([400, 403, 404, 409, 429, 500].contains(error.status))
        #expect(error.message.hasSuffix("."))
    }

    @Test func `the table has every number of Apple's libraries and documentation`() {
        #expect(ServerAPIError.allCases.count == 94)
        let numbers = ServerAPIError.allCases.map(\.rawValue)
        #expect(numbers == numbers.sorted())
    }

    @Test func `a text is that of one error alone`() {
        let messages = ServerAPIError.allCases.map(\.message)
        #expect(Set(messages).count == messages.count)
    }

    @Test func `a text says to try again exactly when that may help`() {
        let again = ServerAPIError.allCases.filter { $0.message.hasSuffix("Please try again.") }
        #expect(again.map(\.rawValue) == [4_040_002, 4_040_004, 4_040_006, 5_000_001])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let count: Int
        let status: Int
        let answer: String

        var testDescription: String { "\(count)" }
    }

    static let kinds = [
        EndpointTests.Kind(testDescription: "now", handler: .now { try serve($1) }),
        EndpointTests.Kind(testDescription: "later", handler: .later { try serve($1) }),
        EndpointTests.Kind(testDescription: "slow", handler: .slow { try serve($1) }),
        EndpointTests.Kind(
            testDescription: "raw",
            handler: .raw { call, responder in
                responder.send(try .json(encoding: serve(call.request.decoded(Sample.self))))
            }),
    ]

    private static func serve(_ body: Sample) throws -> Sample {
        switch body.count {
        case 1: return body
        case 2: throw ServerAPIError.transactionIDNotFound
        case 3: throw Here.Broken()
        case 4: throw Refusal(503, "busy", "Later.", retryAfterSeconds: 1)
        default: throw Refusal(401, "unknown", "Who?")
        }
    }

    private static let unknown = #"{"error":{"code":"unknown","message":"Who?"}}"#

    private static let rows = [
        Row(count: 1, status: 200, answer: #"{"count":1}"#),
        Row(
            count: 2, status: 404,
            answer: #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#),
        Row(
            count: 3, status: 500,
            answer: #"{"errorCode":5000000,"errorMessage":"An unknown error occurred."}"#),
        Row(
            count: 4, status: 500,
            answer:
                #"{"errorCode":5000001,"errorMessage":"An unknown error occurred. Please try again."}"#
        ), Row(count: 5, status: 401, answer: unknown),
    ]

    private func send(
        _ body: String, to handler: Handler<Here>, errors: [ServerAPIError]?
    ) async -> HTTPResponse {
        let router = Router([
            Endpoint(
                "POST", "/samples", "makeSample", "Make one", answers: ["Made."], errors: errors,
                handler)
        ])
        return await withCheckedContinuation { continuation in
            router.respond(
                to: HTTPRequest(
                    method: "POST", path: "/samples", segments: ["samples"],
                    body: Array(body.utf8)),
                context: Here(), responder: Responder { continuation.resume(returning: $0) })
        }
    }

    @Test(arguments: kinds, rows)
    func `an endpoint that names errors fails in their shape`(
        kind: EndpointTests.Kind, row: Row
    ) async {
        let answer = await send(
            #"{"count":\#(row.count)}"#, to: kind.handler, errors: [.transactionIDNotFound])
        #expect(answer.status == row.status)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(String(decoding: answer.body, as: UTF8.self) == row.answer)
    }

    @Test(arguments: kinds)
    func `a body that is not as described is a bad request`(kind: EndpointTests.Kind) async {
        let answer = await send("{}", to: kind.handler, errors: [])
        #expect(answer.status == 400)
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"errorCode":4000000,"errorMessage":"Bad request."}"#)
    }

    @Test(arguments: kinds)
    func `an endpoint that names none does not know them`(kind: EndpointTests.Kind) async {
        #expect(await send(#"{"count":2}"#, to: kind.handler, errors: nil).status == 500)
        let answer = await send(#"{"count":5}"#, to: kind.handler, errors: nil)
        #expect(String(decoding: answer.body, as: UTF8.self) == Self.unknown)
    }
}
