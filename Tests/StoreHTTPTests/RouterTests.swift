import StoreHTTP
import Testing

/// Paths and methods to handlers, without a socket.
struct RouterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let segments: [String]
        let answer: String

        var testDescription: String { "\(method) /\(segments.joined(separator: "/"))" }
    }

    private static let patterns = [
        ("GET", "/"), ("GET", "/transactions"), ("POST", "/transactions"),
        ("GET", "/transactions/:id"), ("POST", "/transactions/:id/finish"),
        ("GET", "/transactions/latest"), ("GET", "/:kind/:id/history"),
        ("DELETE", "/transactions/:name"), ("PUT", "/transactions/all/"),
    ]

    static let rows = [
        Row(method: "GET", segments: [], answer: "GET / [:]"),
        Row(method: "GET", segments: ["transactions"], answer: "GET /transactions [:]"),
        Row(method: "POST", segments: ["transactions"], answer: "POST /transactions [:]"),
        Row(method: "HEAD", segments: ["transactions"], answer: "GET /transactions [:]"),
        Row(
            method: "GET", segments: ["transactions", "a b"],
            answer: "GET /transactions/:id [id=a b]"),
        Row(
            method: "DELETE", segments: ["transactions", "7"],
            answer: "DELETE /transactions/:name [name=7]"),
        Row(
            method: "GET", segments: ["transactions", "latest"],
            answer: "GET /transactions/latest [:]"),
        Row(
            method: "POST", segments: ["transactions", "latest", "finish"],
            answer: "POST /transactions/:id/finish [id=latest]"),
        Row(
            method: "GET", segments: ["transactions", "7", "history"],
            answer: "GET /:kind/:id/history [id=7 kind=transactions]"),
        Row(
            method: "GET", segments: ["x", "7", "history"],
            answer: "GET /:kind/:id/history [id=7 kind=x]"),
        Row(method: "PUT", segments: ["transactions"], answer: "405 GET, HEAD, POST"),
        Row(method: "DELETE", segments: ["transactions", "latest"], answer: "405 GET, HEAD"),
        Row(method: "GET", segments: ["transactions", "7", "finish"], answer: "405 POST"),
        Row(method: "HEAD", segments: ["transactions", "7", "finish"], answer: "405 POST"),
        Row(method: "get", segments: ["transactions"], answer: "405 GET, HEAD, POST"),
        Row(method: "GET", segments: ["Transactions"], answer: "404"),
        Row(method: "GET", segments: ["transactions", ""], answer: "404"),
        Row(
            method: "PUT", segments: ["transactions", "all", ""],
            answer: "PUT /transactions/all/ [:]"),
        Row(method: "PUT", segments: ["transactions", "all"], answer: "405 DELETE, GET, HEAD"),
        Row(method: "GET", segments: [":kind"], answer: "404"),
        Row(method: "GET", segments: ["transactions", "7", "finish", "x"], answer: "404"),
    ]

    @Test(arguments: rows)
    func `a path leads to its handler`(row: Row) {
        var router = Router<String>()
        for (method, pattern) in Self.patterns {
            router.add(method, pattern) { _, parameters, context, responder in
                let values = ["id", "kind", "name"].compactMap { name in
                    parameters[name].map { "\(name)=\($0)" }
                }
                let list = values.isEmpty ? ":" : values.joined(separator: " ")
                responder.send(
                    HTTPResponse(
                        status: 200, body: Array("\(method) \(pattern) [\(list)]\(context)".utf8)))
            }
        }
        let answer = Box("none")
        let responder = Responder { response in
            let body = String(decoding: response.body, as: UTF8.self)
            answer.update {
                $0 =
                    switch response.status {
                    case 200: body
                    case 405: "405 \(response.headers["Allow"] ?? "")"
                    default: "\(response.status)"
                    }
            }
        }
        let request = HTTPRequest(
            method: row.method, path: "/" + row.segments.joined(separator: "/"),
            segments: row.segments)
        router.respond(to: request, context: "", responder: responder)
        #expect(answer.value == row.answer)
    }

    @Test func `the rest of a longer path can be routed`() {
        var router = Router<Int>()
        let seen = Box(0)
        router.add("GET", "/verifyReceipt") { _, _, context, _ in seen.update { $0 = context } }
        let request = HTTPRequest(
            method: "GET", path: "/t/x/verifyReceipt", segments: ["t", "x", "verifyReceipt"])
        router.respond(
            to: request, segments: Array(request.segments.dropFirst(2)), context: 7,
            responder: Responder { _ in })
        #expect(seen.value == 7)
    }

    @Test(arguments: [
        ("GET", [], "/"), ("POST", ["transactions"], "/transactions"),
        ("HEAD", ["transactions", "7"], "/transactions/{id}"),
        ("DELETE", ["transactions", "7"], "/transactions/{name}"),
        ("POST", ["transactions", "{x}", "finish"], "/transactions/{id}/finish"),
        ("GET", ["transactions", "7", "history"], "/{kind}/{id}/history"),
    ])
    func `a path is known by the pattern that it matched`(
        method: String, segments: [String], pattern: String
    ) {
        var router = Router<Void>()
        for (method, pattern) in Self.patterns { router.add(method, pattern) { _, _, _, _ in } }
        guard case .found(_, let path) = router.route(method: method, segments: segments) else {
            Issue.record("no route")
            return
        }
        #expect(path.pattern.text == pattern)
    }

    @Test func `a route for every method leaves other routes their own`() {
        var router = Router<Void>()
        let seen = Box("")
        router.add("POST", "/a") { _, _, _, _ in seen.update { $0 = "POST" } }
        router.add(Router<Void>.anyMethod, "/a") { _, _, _, _ in seen.update { $0 = "any" } }
        for (method, expected) in [("POST", "POST"), ("GET", "any"), ("HEAD", "any"), ("X", "any")]
        {
            guard case .found(let handler, let path) = router.route(method: method, segments: ["a"])
            else {
                Issue.record("\(method) has no route")
                continue
            }
            let request = HTTPRequest(method: method, path: "/a", segments: ["a"])
            handler(request, path, (), Responder { _ in })
            #expect(seen.value == expected)
        }
    }

    @Test func `a route for a method and a path has its own body limit`() {
        var router = Router<Void>()
        router.add("PUT", "/a/:b", bodyBytesMax: 7) { _, _, _, _ in }
        router.add("GET", "/a/:b") { _, _, _, _ in }
        #expect(router.bodyBytesMax(method: "PUT", segments: ["a", "x"]) == 7)
        #expect(router.bodyBytesMax(method: "GET", segments: ["a", "x"]) == nil)
        #expect(router.bodyBytesMax(method: "PUT", segments: ["b"]) == nil)
        #expect(router.knows(["a", "x"]))
        #expect(!router.knows(["a"]))
    }

    @Test func `the router's refusals are JSON errors`() {
        for response in [HTTPResponse.notFound, .methodNotAllowed(["GET"])] {
            #expect(response.headers["Content-Type"] == "application/json")
            let body = String(decoding: response.body, as: UTF8.self)
            #expect(body.hasPrefix("{\"error\":{\"code\":\""))
        }
        let odd = HTTPResponse.error(400, code: "a\"b", message: "c\\d\n\u{1}é")
        #expect(
            String(decoding: odd.body, as: UTF8.self)
                == #"{"error":{"code":"a\"b","message":"c\\d\u000a\u0001é"}}"#)
    }

    @Test func `two routes with the same path shape end the program`() async {
        await #expect(processExitsWith: .failure) {
            var router = Router<Void>()
            router.add("GET", "/a/:b") { _, _, _, _ in }
            router.add("GET", "/a/:c") { _, _, _, _ in }
        }
    }
}
