import StoreCaller
import TestSupport
import Testing

/// What a whole answer becomes, and what travels in a request.
@Suite(.ownThreads) struct CallerAnswerTests {
    let caller = Caller()

    @Test func `an answer has its status, headers and body`() throws {
        let server = try RawServer.answering(
            "HTTP/1.1 418 Teapot\r\nX-Kind:  tea \r\nx-kind: green\r\nContent-Length: 3\r\n\r\nhot")
        let response = try caller.send(CallerRequest(method: "GET", url: server.url + "/a"))
        #expect(response.status == 418)
        #expect(response.headers["x-kind"] == "green")
        #expect(response.headers["content-length"] == "3")
        #expect(response.body == Array("hot".utf8))
    }

    @Test func `headers of an interim answer are not part of the final one`() throws {
        let server = try RawServer.answering(
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
                + "Content-Length: 0\r\n\r\n"
        )
        let response = try caller.send(CallerRequest(method: "GET", url: server.url))
        #expect(response.status == 200)
        #expect(response.headers["link"] == nil)
    }

    @Test func `a redirect is returned, not followed`() throws {
        let counted = Counted()
        let server = try RawServer { peer in
            while peer.readRequest() != nil {
                counted.add()
                peer.write("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let response = try caller.send(CallerRequest(method: "GET", url: server.url))
        #expect(response.status == 302)
        #expect(counted.value == 1)
    }

    @Test func `a chunked answer is assembled`() throws {
        let server = try RawServer.answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        let response = try caller.send(CallerRequest(method: "GET", url: server.url))
        #expect(response.body == Array("abcde".utf8))
    }

    @Test func `a body is sent as it is, without Expect or a form's content type`() throws {
        let seen = try sent(
            CallerRequest(method: "POST", url: "/x", body: Array("{\"a\":\"\u{0}\"}".utf8)))
        #expect(seen.hasPrefix("POST /x HTTP/1.1\r\n"))
        #expect(seen.hasSuffix("\r\n\r\n{\"a\":\"\u{0}\"}"))
        #expect(seen.contains("Content-Length: 9\r\n"))
        #expect(!seen.lowercased().contains("expect:"))
        #expect(!seen.lowercased().contains("content-type:"))
    }

    @Test func `a long body is sent without waiting for permission`() throws {
        let body = [UInt8](repeating: 0x61, count: 2 << 20)
        let seen = try sent(CallerRequest(method: "PUT", url: "/x", body: body))
        #expect(seen.hasPrefix("PUT /x HTTP/1.1\r\n"))
        #expect(seen.utf8.count > body.count)
        #expect(!seen.contains("Expect:"))
    }

    @Test func `headers are sent as given, also without a value`() throws {
        let seen = try sent(
            CallerRequest(
                method: "GET", url: "/x",
                headers: [("Authorization", "Bearer t"), ("X-Empty", "")]))
        #expect(seen.contains("Authorization: Bearer t\r\n"))
        #expect(seen.contains("X-Empty:\r\n"))
    }

    @Test(arguments: ["POST", "PUT"])
    func `a method with a body declares an empty one`(method: String) throws {
        let seen = try sent(CallerRequest(method: method, url: "/x"))
        #expect(seen.contains("Content-Length: 0\r\n"))
    }

    @Test(arguments: ["GET", "DELETE"])
    func `a method without a body sends no length`(method: String) throws {
        let seen = try sent(CallerRequest(method: method, url: "/x"))
        #expect(seen.hasPrefix("\(method) /x HTTP/1.1\r\n"))
        #expect(!seen.contains("Content-Length"))
    }

    @Test func `a HEAD call waits for no body`() throws {
        let server = try RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        let response = try caller.send(CallerRequest(method: "HEAD", url: server.url))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
    }

    @Test func `consecutive calls share a connection`() throws {
        let connections = Counted()
        let server = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
            }
        }
        for _ in 0..<20 {
            let response = try caller.send(CallerRequest(method: "GET", url: server.url))
            #expect(response.status == 200)
        }
        #expect(connections.value == 1)
    }

    @Test func `an option of one call does not carry over to the next`() throws {
        let server = try RawServer { peer in
            while let request = peer.readRequest() {
                let kind = request.prefix(4) + (request.contains("X-Once") ? "1" : "0")
                peer.write("HTTP/1.1 200 OK\r\nX-Kind: \(kind)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let first = CallerRequest(
            method: "POST", url: server.url, headers: [("X-Once", "1")], body: [1])
        #expect(try caller.send(first).headers["x-kind"] == "POST1")
        let second = CallerRequest(method: "GET", url: server.url)
        #expect(try caller.send(second).headers["x-kind"] == "GET 0")
    }

    /// The bytes that reach a server.
    private func sent(_ request: CallerRequest) throws -> String {
        let seen = Box("")
        let server = try RawServer { peer in
            if let text = peer.readRequest() { seen.value = text }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        var request = request
        request.url = server.url + request.url
        request.timeoutMilliseconds = 300_000
        _ = try caller.send(request)
        return seen.value
    }
}
