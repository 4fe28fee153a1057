import Dispatch
import StoreHTTP
import StoreService
import Synchronization
import Testing

/// What becomes of a request at an endpoint, by the kind of its handler.
struct EndpointTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let handler: Handler<Here>
    }

    /// Each gives its body back; a body of 0 is refused, and one of less breaks it.
    private static func serve(_ body: Sample) throws -> Sample {
        if body.count == 0 { throw Refusal(409, "empty", "Nothing.") }
        if body.count < 0 { throw Here.Broken() }
        return body
    }

    static let kinds = [
        Kind(testDescription: "now", handler: .now { try serve($1) }),
        Kind(testDescription: "later", handler: .later { try serve($1) }),
        Kind(testDescription: "slow", handler: .slow { try serve($1) }),
    ]

    private func send(
        _ body: String, to handler: Handler<Here>, bodyBytesMax: Int? = nil
    ) async -> HTTPResponse {
        let router = Router(
            [
                Endpoint(
                    "POST", "/samples/:number", "makeSample", "Make one",
                    body: bodyBytesMax.map { RequestBody(bytesMax: $0) },
                    answers: [Answer(201, "Made."), "Known."], handler)
            ], bodyBytesMax: 20)
        return await withCheckedContinuation { continuation in
            router.respond(
                to: HTTPRequest(
                    method: "POST", path: "/samples/7", segments: ["samples", "7"],
                    body: Array(body.utf8)),
                context: Here(), responder: Responder { continuation.resume(returning: $0) })
        }
    }

    @Test(arguments: kinds)
    func `an answer has the status of the first that the endpoint says`(kind: Kind) async {
        let answer = await send(#"{"count":3}"#, to: kind.handler)
        #expect(answer.status == 201)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"count":3}"#)
    }

    @Test(arguments: kinds)
    func `what a handler throws is answered as its context says`(kind: Kind) async {
        #expect(await send(#"{"count":0}"#, to: kind.handler).status == 409)
        #expect(await send(#"{"count":-1}"#, to: kind.handler).status == 500)
        #expect(await send("{}", to: kind.handler).status == 400)
    }

    @Test(arguments: kinds)
    func `a body over the limit of its endpoint is not decoded`(kind: Kind) async {
        let long = #"{"count":3}"# + String(repeating: " ", count: 20)
        #expect(await send(long, to: kind.handler).status == 413)
        #expect(await send(long, to: kind.handler, bodyBytesMax: 31).status == 201)
        #expect(await send(long, to: kind.handler, bodyBytesMax: 30).status == 413)
    }

    @Test(arguments: [
        ("application/json", 201), ("Application/JSON", 201),
        ("application/json; charset=utf-8", 201), (" application/json ;a=b", 201),
        ("text/plain", 415), ("text/plain; application/json", 415), ("application/jsonp", 415),
        ("multipart/form-data", 415), ("application/x-www-form-urlencoded", 415), ("", 415),
        (nil, 415),
    ])
    func `a body that must be declared is decoded as JSON alone`(
        type: String?, status: Int
    ) async {
        let router = Router([
            Endpoint(
                "POST", "/samples", "makeSample", "Make one",
                body: RequestBody(mustBeDeclared: true), answers: [Answer(201, "Made.")],
                Handler<Here>.now { (_: Call<Here>, body: Sample) in body })
        ])
        let answer = await withCheckedContinuation { continuation in
            router.respond(
                to: HTTPRequest(
                    method: "POST", path: "/samples", segments: ["samples"],
                    headers: HTTPHeaders(type.map { [("Content-Type", $0)] } ?? []),
                    body: Array(#"{"count":3}"#.utf8)),
                context: Here(), responder: Responder { continuation.resume(returning: $0) })
        }
        #expect(answer.status == status)
    }

    @Test func `a call has the parts of its path`() async {
        let answer = await send(
            #"{"count":3}"#,
            to: .now { (call: Call<Here>, _: Sample) in Sample(count: Int(call["number"]) ?? 0) })
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"count":7}"#)
    }

    @Test func `a call that is asked for a part that its path has not ends the process`() async {
        await #expect(processExitsWith: .failure) {
            let router = Router([
                Endpoint(
                    "GET", "/samples", "listSamples", "List them", answers: ["All."],
                    Handler<Here>.now { (call: Call<Here>) in
                        Sample(count: call["number"].count)
                    })
            ])
            router.respond(
                to: HTTPRequest(method: "GET", path: "/samples", segments: ["samples"]),
                context: Here(), responder: Responder { _ in })
        }
    }
}
