import TestSupport
import Testing

@testable import StoreHTTP

/// What never reaches a handler, byte by byte.
@Suite(.ownThreads) struct ListenerRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        var status = 400
        /// Nil where libmicrohttpd itself answers, in HTML.
        var code: String? = "badRequest"

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "length and encoding",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        Row(
            name: "two lengths that differ",
            request:
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"
        ),
        Row(
            name: "two lengths that are the same",
            request:
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\ncontent-length: 3\r\n\r\nabc"
        ),
        Row(name: "no host", request: "GET / HTTP/1.1\r\n\r\n"),
        Row(name: "no host in HTTP/1.2", request: "GET / HTTP/1.2\r\nX: y\r\n\r\n"),
        Row(name: "two hosts", request: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Row(
            name: "two authorizations",
            request: "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n"
                + "Authorization: Bearer b\r\n\r\n"),
        Row(
            name: "two encodings",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row(
            name: "another encoding",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                + "0\r\n\r\n"),
        Row(
            name: "an encoding in HTTP/1.0",
            request: "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Row(
            name: "a space before the colon",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc"),
        Row(
            name: "a length with a sign",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", code: nil),
        Row(
            name: "a length with letters",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3x\r\n\r\nabc", code: nil),
        Row(
            name: "a bare carriage return in a value",
            request: "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rX-C: d\r\n\r\n"),
        Row(
            name: "a bare line feed in a value",
            request: "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\nX-C: d\r\n\r\n"),
        Row(name: "bare line feeds", request: "GET / HTTP/1.1\nHost: a\n\n"),
        Row(
            name: "a folded line",
            request: "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n X-C: d\r\n\r\n"),
        Row(
            name: "a folded length",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n 3\r\n\r\nabc"),
        Row(
            name: "a value cut by a NUL",
            request: "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\u{0}c\r\n\r\n"),
        Row(name: "a target cut by a NUL", request: "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "no name", request: "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"),
        Row(name: "two blanks", request: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a blank in the target", request: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a method that is no token", request: "G@T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(
            name: "two content types",
            request: "GET / HTTP/1.1\r\nHost: a\r\nContent-Type: a\r\nContent-Type: b\r\n\r\n"),
        Row(name: "a NUL in the path", request: "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "half an escape", request: "GET /a%4 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "no hexadecimal", request: "GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "not UTF-8", request: "GET /a%ff HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a hidden slash", request: "GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "two dots", request: "GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "two hidden dots", request: "GET /a/%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "two slashes", request: "GET //a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a broken query", request: "GET /?a=%1 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a fragment", request: "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a whole address", request: "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(name: "a star", request: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(
            name: "a length above the limit",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", status: 413,
            code: "bodyTooLarge"),
        Row(
            name: "a length far above the limit",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\n",
            status: 413, code: "bodyTooLarge"),
        Row(
            name: "a length above the limit, waiting for permission",
            request: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + "Content-Length: 101\r\n\r\n", status: 413, code: "bodyTooLarge"),
    ]

    @Test(arguments: rows)
    func `an ambiguous request is refused and its connection closed`(row: Row) throws {
        let reached = Box(false)
        let listener = try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, _, _ in 100 })
        ) { _, responder in
            reached.update { $0 = true }
            responder.send(HTTPResponse(status: 200))
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(row.request)
        let answer = try client.readAnswer()
        #expect(answer.status == row.status)
        #expect(answer.header("connection")?.lowercased() == "close")
        if let code = row.code {
            #expect(answer.header("content-type") == "application/json")
            #expect(answer.body.hasPrefix("{\"error\":{\"code\":\"\(code)\",\"message\":\""))
        }
        #expect(client.readsToEnd())
        #expect(!reached.value)
    }

    @Test func `non-HTTP bytes reach no handler and the listener survives`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        for text in ["\u{16}\u{3}\u{1}\u{2}\u{0}", "hello\r\n\r\n", "\r\n\r\n\r\n", "GET\r\n\r\n"] {
            let client = try RawClient(port: listener.port)
            client.write(text)
        }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
    }

    /// What tells a bare line feed, a folded line and a NUL apart is how this version parses.
    @Test func `libmicrohttpd has a version whose parsing is known`() {
        #expect(HeaderLayout.isKnown, "look at HeaderLayout again, with every row above")
    }

    @Test func `a well-formed header of any size and pace is accepted`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for count in [0, 1, 2, 50, 150] {
            let fields = (0..<count).map { "X-\($0):\(String(repeating: " ", count: $0 % 3))b\r\n" }
            client.write("GET / HTTP/1.1\r\nHost: a\r\n\(fields.joined())Empty:\r\n\r\n")
            #expect(try client.readAnswer().status == 200)
        }
        for byte in "\r\nGET /?a=b&c=%20d HTTP/1.1\r\nCookie: a=b; c\r\nHost: a\r\n\r\n".utf8 {
            client.write([byte])
        }
        #expect(try client.readAnswer().status == 200)
    }

    /// Where a chunked body ends is libmicrohttpd's to say, which takes bare line feeds there.
    @Test func `a connection ends after a chunked body and what follows is not read`() throws {
        let paths = Box<[String]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            paths.update { $0.append(request.path) }
            responder.send(HTTPResponse(status: 200))
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\n0\n\n"
                + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.status == 200)
        #expect(answer.header("connection") == "close")
        #expect(client.readsToEnd())
        #expect(paths.value == ["/1"])
    }
}
