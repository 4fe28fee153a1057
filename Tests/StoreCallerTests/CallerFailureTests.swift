import Foundation
import StoreCaller
import TestSupport
import Testing

/// What every way of getting no answer becomes.
@Suite(.ownThreads) struct CallerFailureTests {
    let caller = Caller()

    @Test(arguments: [
        "", "127.0.0.1:80", "/path", "ftp://127.0.0.1/", "file:///etc/passwd", "http://",
        "http://127.0.0.1:99999/", "http://127.0.0.1/a b", "http://127.0.0.1/\n",
        "http://user:secret@127.0.0.1/", "http://[::1/", "http://127.0.0.1/é",
    ])
    func `an invalid URL is refused before the call`(url: String) {
        #expect(failure(CallerRequest(method: "GET", url: url))?.code == .badURL)
    }

    @Test(arguments: [
        ("X-A", "one\r\nX-B: two"), ("X-A", "one\u{0}"), ("X A", "one"), ("", "one"),
        ("X-A:", "one"),
    ])
    func `a header that would break the request is refused`(name: String, value: String) {
        let request = CallerRequest(
            method: "GET", url: "http://127.0.0.1:1/", headers: [(name, value)])
        #expect(failure(request)?.code == .other)
    }

    @Test(arguments: ["", "GET /", "GE\r\nT"])
    func `an invalid method is refused`(method: String) {
        let request = CallerRequest(method: method, url: "http://127.0.0.1:1/")
        #expect(failure(request)?.code == .other)
    }

    @Test func `a refused port is unreachable and named in the sentence`() throws {
        let port = FreePort.next()
        let error = failure(
            CallerRequest(method: "GET", url: "http://127.0.0.1:\(port)/x?secret=1"))
        #expect(error?.code == .unreachable)
        #expect(error?.detail.contains("http://127.0.0.1:\(port)/x ") == true)
        #expect(error?.detail.contains("secret") == false)
    }

    @Test func `a server that never answers is a time-out`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            _ = peer.readRequest()
        }
        // One that may wait for longer is still there then.
        let (patience, isOver) = (CallCancellation(), Box(false))
        let patient = CallerRequest(
            method: "GET", url: server.url, timeoutMilliseconds: 600_000)
        let caller = caller
        Thread.detachNewThread {
            _ = try? caller.send(patient, cancellation: patience)
            isOver.value = true
        }
        let request = CallerRequest(method: "GET", url: server.url, timeoutMilliseconds: 300)
        #expect(failure(request)?.code == .timedOut)
        #expect(!isOver.value)
        patience.cancel()
        #expect(eventually { isOver.value })
    }

    @Test func `a server that answers byte by byte is a time-out`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while peer.write("x") { usleep(50_000) }
        }
        let request = CallerRequest(method: "GET", url: server.url, timeoutMilliseconds: 400)
        #expect(failure(request)?.code == .timedOut)
    }

    @Test func `a non-HTTP answer is a bad answer`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("SSH-2.0-OpenSSH_9.2\r\n")
        }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .badAnswer)
    }

    @Test func `a connection closed without an answer is told as not answered`() throws {
        let server = try RawServer { peer in _ = peer.readRequest() }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .notAnswered)
    }

    @Test func `a reset connection is a lost one`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.reset()
        }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .connectionLost)
    }

    @Test func `a connection closed while it agrees on TLS is told as no TLS`() throws {
        let server = try RawServer { _ in }
        let request = CallerRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/")
        #expect(failure(request)?.code == .notTLS)
    }

    @Test func `a host that accepts and says nothing of TLS is a time-out`() throws {
        let server = try RawServer { peer in while peer.readRequest() != nil {} }
        let request = CallerRequest(
            method: "GET", url: "https://127.0.0.1:\(server.port)/", timeoutMilliseconds: 300)
        #expect(failure(request)?.code == .timedOut)
    }

    @Test func `a name without an address is unreachable`() {
        let request = CallerRequest(method: "GET", url: "http://\(noName)/")
        #expect(failure(request)?.code == .unreachable)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ])
    func `a truncated body is an incomplete answer`(text: String) throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write(text)
        }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .incompleteAnswer)
    }

    @Test(arguments: [
        "Content-Length: 11\r\n\r\nhello world",
        "Transfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n",
        "Connection: close\r\n\r\nhello world",
    ])
    func `a body one byte above the limit is refused and one at the limit accepted`(
        rest: String
    ) throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\n\(rest)")
        }
        var request = CallerRequest(method: "GET", url: server.url, responseBodyMax: 11)
        #expect(try caller.send(request).body.count == 11)
        request.responseBodyMax = 10
        #expect(failure(request)?.code == .answerTooLarge)
    }

    @Test func `endless headers are a bad answer`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\n")
            for number in 0..<10_000 {
                peer.write("X-\(number): \(String(repeating: "x", count: 100))\r\n")
            }
            peer.write("Content-Length: 0\r\n\r\n")
        }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .badAnswer)
    }

    @Test func `a line of the header without end is a bad answer`() throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 200_000))")
        }
        #expect(failure(CallerRequest(method: "GET", url: server.url))?.code == .badAnswer)
    }

    @Test func `a handle works again after a failure`() throws {
        let server = try RawServer { peer in
            while let request = peer.readRequest() {
                if request.contains("/close ") { return }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let bad = CallerRequest(method: "GET", url: server.url + "/close")
        for _ in 0..<3 {
            #expect(throws: CallerError.self) { try caller.send(bad) }
            let good = CallerRequest(method: "GET", url: server.url + "/")
            #expect(try caller.send(good).status == 200)
        }
    }

    /// The failure of a call, which does not depend on how the call is made.
    private func failure(_ request: CallerRequest) -> CallerError? {
        var first: CallerError?
        for way in Way.all {
            switch way.start()(request) {
            case .success(let response):
                Issue.record("\(way.testDescription): answered with \(response.status)")
            case .failure(let error):
                #expect(first == nil || first?.code == error.code, "\(way.testDescription)")
                first = first ?? error
            }
        }
        return first
    }
}
