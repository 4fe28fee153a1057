import StoreHTTP
import TestSupport
import Testing

/// Whole requests and their answers over a socket.
@Suite(.ownThreads) struct ListenerAnswerTests {
    @Test func `a request reaches its handler decoded`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "PUT /a%20b/c+d?x=1+2&y=%26&x=3&z HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        let answer = try client.readAnswer()
        #expect(
            answer.body == """
                PUT /a%20b/c+d
                segments=a b|c+d
                query=x=1 2|y=&|x=3|z=
                body=2
                """)
        #expect(answer.header("content-length") == "\(answer.body.utf8.count)")
        #expect(answer.header("server") == nil)
        #expect(answer.header("date") != nil)
    }

    @Test func `a client that connects before the listener serves its port is answered`() throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let port = try #require(Int(socket.localURL.split(separator: ":").last ?? ""))
        let client = try RawClient(port: port)
        client.write("GET /early HTTP/1.1\r\nHost: a\r\n\r\n")
        let listener = try HTTPListener(ListenerConfiguration(), at: socket, handler: echo)
        defer { listener.stop() }
        #expect(listener.port == port && listener.url == socket.localURL)
        #expect(try client.readAnswer().body.hasPrefix("GET /early\n"))
    }

    @Test func `the rest of a path reaches its handler in one part`() throws {
        let configuration = ListenerConfiguration(pathPartsMax: { host, path in
            host == "a" && path.hasPrefix("/rest/") ? 2 : nil
        })
        let listener = try HTTPListener(configuration, handler: echo)
        defer { listener.stop() }
        for (host, path, segments) in [
            ("a", "/rest/b%2Fc//d+", "rest|b/c//d+"), ("a", "/other/b/c", "other|b|c"),
            ("b", "/rest/b/c", "rest|b|c"),
        ] {
            let client = try RawClient(port: listener.port)
            client.write("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try client.readAnswer().body.contains("segments=\(segments)\n"))
        }
    }

    @Test func `a connection is kept open and every answer has its own id`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        var ids: Set<String> = []
        for _ in 0..<50 {
            client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let answer = try client.readAnswer()
            #expect(answer.status == 200)
            ids.formUnion(answer.headers("request-id"))
        }
        #expect(ids.count == 50)
    }

    @Test func `pipelined requests are answered in order`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
                + "abcGET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        #expect(try client.readAnswer().body.hasPrefix("POST /1\n"))
        #expect(try client.readAnswer().body.hasPrefix("GET /2\n"))
    }

    @Test func `a request that trickles in is assembled`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for byte in "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
            client.write([byte])
        }
        #expect(try client.readAnswer().body.hasSuffix("body=3"))
    }

    @Test func `a HEAD answer has the length and no body`() throws {
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.send(HTTPResponse(status: 200, body: Array("12345".utf8)))
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.readAnswer(isHead: true)
        #expect(head.header("content-length") == "5")
        #expect(try client.readAnswer().body == "12345")
    }

    @Test func `an answer without a body declares so`() throws {
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            responder.send(HTTPResponse(status: request.path == "/none" ? 204 : 200))
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().header("content-length") == "0")
        client.write("GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().status == 204)
    }

    @Test func `an HTTP/1.0 request is answered and its connection closed`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
        #expect(client.isClosedNow())
    }

    @Test func `a client that asks first may send a long body`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(try client.readAnswer().status == 100)
        client.write("abc")
        #expect(try client.readAnswer().body.hasSuffix("body=3"))
    }

    @Test(arguments: [
        HTTPResponse(status: 200, headers: HTTPHeaders([("X-A", "b\r\nX-C: d")])),
        HTTPResponse(status: 200, headers: HTTPHeaders([("X A", "b")])),
        HTTPResponse(status: 99), HTTPResponse(status: 1_000),
    ])
    func `an answer that cannot be sent becomes 500`(response: HTTPResponse) throws {
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.send(response)
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.status == 500)
        #expect(answer.header("x-c") == nil)
    }

    @Test func `framing headers are set only by the listener`() throws {
        let headers = HTTPHeaders([
            ("Content-Length", "1"), ("Transfer-Encoding", "chunked"), ("Request-Id", "mine"),
            ("X-Mine", "yes"),
        ])
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.send(HTTPResponse(status: 200, headers: headers, body: [0x61, 0x62]))
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.headers("content-length") == ["2"])
        #expect(answer.header("transfer-encoding") == nil)
        #expect(answer.headers("request-id").count == 1)
        #expect(answer.header("request-id") != "mine")
        #expect(answer.header("x-mine") == "yes")
    }

    @Test func `each finished request leaves one log record without its query`() throws {
        let records = Box<[AccessRecord]>([])
        let configuration = ListenerConfiguration(
            bodyBytesMax: { _, _, _ in 5 },
            accessLog: { record in records.update { $0.append(record) } })
        let listener = try HTTPListener(configuration) { request, responder in
            responder.send(HTTPResponse(status: 201, body: Array(request.id.utf8)))
        }
        let client = try RawClient(port: listener.port)
        client.write("GET /a?secret=1 HTTP/1.1\r\nHost: a\r\n\r\n")
        let id = try client.readAnswer().body
        client.write("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n")
        _ = try client.readAnswer()
        listener.stop()
        #expect(records.value.map(\.path) == ["/a", "/b"])
        #expect(records.value.map(\.status) == [201, 413])
        #expect(records.value.map(\.method) == ["GET", "POST"])
        #expect(records.value.first?.requestID == id)
        #expect(records.value.first?.responseBytes == id.utf8.count)
        #expect(records.value.first?.isWhole == true)
    }

    @Test func `a port in use is refused with advice`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        defer { listener.stop() }
        let error = #expect(throws: ListenerError.self) {
            try HTTPListener(ListenerConfiguration(port: listener.port), handler: echo)
        }
        #expect(error?.code == .addressInUse)
        #expect(error?.detail.contains("\(listener.port)") == true)
    }

    @Test(arguments: [
        ("nowhere.example", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1),
        ("", 0), ("192.0.2.1", 0),
    ])
    func `an address that is not local is refused`(host: String, port: Int) {
        let error = #expect(throws: ListenerError.self) {
            try HTTPListener(ListenerConfiguration(host: host, port: port), handler: echo)
        }
        #expect(error?.code == .badAddress)
    }

    @Test func `the listener can use an IPv6 address`() throws {
        let listener = try HTTPListener(ListenerConfiguration(host: "::1"), handler: echo)
        #expect(listener.port > 0)
        listener.stop()
    }
}
