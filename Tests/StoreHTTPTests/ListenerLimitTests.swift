import Foundation
import StoreHTTP
import TestSupport
import Testing

/// Each limit: at it, and one above.
@Suite(.ownThreads) struct ListenerLimitTests {
    private func listener(bodyMax: Int = 1_000) throws -> HTTPListener {
        try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, _, segments in
                segments.last == "verifyReceipt" ? 10 * bodyMax : bodyMax
            }), handler: echo)
    }

    private func chunked(_ count: Int, path: String = "/") -> String {
        var text = "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        var left = count
        while left > 0 {
            let size = min(left, 97)
            text += String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
            left -= size
        }
        return text + "0\r\n\r\n"
    }

    private func plain(_ count: Int, path: String = "/") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
            + String(repeating: "x", count: count)
    }

    @Test(arguments: [(0, 200), (1, 200), (1_000, 200), (1_001, 413), (5_000, 413)])
    func `a body with a length is accepted up to the limit`(count: Int, status: Int) throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(plain(count))
        let answer = try client.readAnswer()
        #expect(answer.status == status)
        #expect(answer.body.hasSuffix("body=\(count)") == (status == 200))
    }

    @Test(arguments: [(0, 200), (1, 200), (1_000, 200), (1_001, 413), (200_000, 413)])
    func `a chunked body is accepted up to the limit`(count: Int, status: Int) throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(chunked(count))
        let answer = try client.readAnswer()
        #expect(answer.status == status)
        #expect(answer.body.hasSuffix("body=\(count)") == (status == 200))
        if status == 413 {
            #expect(answer.body.contains("bodyTooLarge"))
            #expect(client.isClosedNow())
        }
    }

    @Test func `an endless chunked body is cut off`() throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        var sent = 0
        for _ in 0..<1_000 {
            let count = client.write(chunk)
            sent += count
            if count < chunk.utf8.count { break }
        }
        #expect(sent < 32 << 20)
    }

    @Test(arguments: [("a", 200), ("b:80", 413), ("B", 413)])
    func `a host can have its own body limit`(host: String, status: Int) throws {
        let listener = try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, host, _ in host == "a" ? 1_000 : 10 }),
            handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(plain(1_000).replacing("Host: a", with: "Host: \(host)"))
        #expect(try client.readAnswer().status == status)
    }

    @Test func `without a host the body limit is asked all the same`() throws {
        let listener = try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, host, _ in host == nil ? 1_000 : 10 }),
            handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            plain(1_000).replacing("HTTP/1.1\r\nHost: a\r\n", with: "HTTP/1.0\r\n"))
        #expect(try client.readAnswer().status == 200)
    }

    @Test func `a path can have its own body limit`() throws {
        let listener = try listener()
        defer { listener.stop() }
        for text in [
            plain(10_000, path: "/sandbox/verifyReceipt"),
            chunked(10_000, path: "/sandbox/verifyReceipt"),
        ] {
            let client = try RawClient(port: listener.port)
            client.write(text)
            #expect(try client.readAnswer().body.hasSuffix("body=10000"))
        }
        let client = try RawClient(port: listener.port)
        client.write(plain(10_001, path: "/sandbox/verifyReceipt"))
        #expect(try client.readAnswer().status == 413)
    }

    /// A listener that holds 300,000 bytes of large bodies.
    private func withLittleMemory() throws -> HTTPListener {
        try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, _, _ in 1 << 20 }, bodyBytesOpenMax: 300_000)
        ) {
            $1.send(HTTPResponse(status: 200, body: Array("body=\($0.body.count)".utf8)))
        }
    }

    @Test func `the bodies of all open requests together are limited`() throws {
        let listener = try withLittleMemory()
        defer { listener.stop() }
        let slow = try stalled(listener, sent: 280_000, of: 290_000)
        #expect(eventually { listener.bodyBytesOpen == 280_000 })
        let other = try RawClient(port: listener.port)
        other.write(plain(100_000))
        let refused = try other.readAnswer()
        #expect(refused.status == 503)
        #expect(refused.body.contains("busy"))
        slow.write(String(repeating: "x", count: 10_000))
        #expect(try slow.readAnswer().body.hasSuffix("body=290000"))
        // What is answered is given back.
        #expect(eventually { listener.bodyBytesOpen == 0 })
        let later = try RawClient(port: listener.port)
        later.write(plain(300_000))
        #expect(try later.readAnswer().status == 200)
    }

    @Test func `a client whose body found no memory waits a second for its refusal`() throws {
        let listener = try withLittleMemory()
        defer { listener.stop() }
        let slow = try stalled(listener, sent: 280_000, of: 290_000)
        #expect(eventually { listener.bodyBytesOpen == 280_000 })
        let begin = DispatchTime.now().uptimeNanoseconds
        let refused = try RawClient(port: listener.port)
        refused.write(plain(100_000))
        #expect(try refused.readAnswer().status == 503)
        #expect(DispatchTime.now().uptimeNanoseconds - begin >= 1_000_000_000)
        withExtendedLifetime(slow) {}
    }

    @Test func `a listener stops while clients whose bodies found no memory wait`() throws {
        let listener = try withLittleMemory()
        let slow = try stalled(listener, sent: 280_000, of: 290_000)
        #expect(eventually { listener.bodyBytesOpen == 280_000 })
        let waiting = try (0..<20).map { _ in
            let client = try RawClient(port: listener.port)
            client.write(plain(100_000))
            return client
        }
        // Small bodies are served meanwhile.
        let small = try RawClient(port: listener.port)
        small.write(plain(10))
        #expect(try small.readAnswer().status == 200)
        // libmicrohttpd ends the process that stops it with a suspended connection.
        listener.stop(graceMilliseconds: 0)
        withExtendedLifetime((slow, waiting)) {}
    }

    @Test func `endless large bodies keep no small one out`() throws {
        let listener = try withLittleMemory()
        defer { listener.stop() }
        let clients = try (0..<4).map { _ in
            try stalled(listener, sent: 100_000, of: 1_000_000)
        }
        // One that is beyond the limit gives back what it took.
        #expect(eventually { listener.bodyBytesOpen > 200_000 })
        for count in [0, 200, 64 << 10] {
            let purchase = try RawClient(port: listener.port)
            purchase.write(plain(count))
            #expect(try purchase.readAnswer().body.hasSuffix("body=\(count)"))
        }
        let large = try RawClient(port: listener.port)
        large.write(plain(100_001))
        #expect(try large.readAnswer().status == 503)
        withExtendedLifetime(clients) {}
    }

    /// A listener of senders whose tokens are their names; strangers and each account may have
    /// 300,000 bytes on their way.
    private func sharing() throws -> HTTPListener {
        try HTTPListener(
            ListenerConfiguration(
                bodyBytesMax: { _, _, _ in 1 << 20 }, strangerBytesOpenMax: 300_000,
                accountBytesOpenMax: 300_000,
                sender: { request in
                    switch request.headers.bearerToken {
                    case "owner": .owner
                    case "anna", "ben": .account(request.headers.bearerToken ?? "")
                    default: .stranger
                    }
                })
        ) {
            $1.send(HTTPResponse(status: 200, body: Array("body=\($0.body.count)".utf8)))
        }
    }

    private func status(
        _ listener: HTTPListener, _ count: Int, token: String? = nil
    ) throws -> Int {
        try stalled(listener, sent: count, of: count, token: token).readAnswer().status
    }

    @Test func `strangers share less memory for large bodies than requests that are known`() throws
    {
        let listener = try sharing()
        defer { listener.stop() }
        let slow = try stalled(listener, sent: 280_000, of: 290_000)
        #expect(eventually { listener.bodyBytesOpen == 280_000 })
        #expect(try status(listener, 100_000) == 503)
        #expect(try status(listener, 100_000, token: "made-up") == 503)
        #expect(try status(listener, 100_000, token: "anna") == 200)
        #expect(try status(listener, 64 << 10) == 200, "small bodies always work")
        slow.write(String(repeating: "x", count: 10_000))
        #expect(try slow.readAnswer().body.hasSuffix("body=290000"))
        #expect(eventually { listener.bodyBytesOpen == 0 })
        #expect(try status(listener, 300_000) == 200, "what is answered is given back")
    }

    @Test func `an account's large bodies take none of the memory of others`() throws {
        let listener = try sharing()
        defer { listener.stop() }
        let slow = try (0..<2).map { _ in
            try stalled(listener, sent: 140_000, of: 145_000, token: "anna")
        }
        #expect(eventually { listener.bodyBytesOpen == 280_000 })
        #expect(try status(listener, 100_000, token: "anna") == 503)
        #expect(try status(listener, 64 << 10, token: "anna") == 200, "small bodies always work")
        #expect(try status(listener, 100_000, token: "ben") == 200)
        #expect(try status(listener, 100_000) == 200)
        #expect(try status(listener, 900_000, token: "owner") == 200)
        for client in slow {
            client.write(String(repeating: "x", count: 5_000))
            #expect(try client.readAnswer().body.hasSuffix("body=145000"))
        }
        #expect(eventually { listener.bodyBytesOpen == 0 })
        #expect(try status(listener, 300_000, token: "anna") == 200)
    }

    /// A client in the middle of a body, or at its end.
    private func stalled(
        _ listener: HTTPListener, sent: Int, of count: Int, token: String? = nil
    ) throws -> RawClient {
        let client = try RawClient(port: listener.port)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        client.write(
            "POST / HTTP/1.1\r\nHost: a\r\n\(authorization)Content-Length: \(count)\r\n\r\n"
                + String(repeating: "x", count: sent))
        return client
    }

    @Test func `a body of 16 MiB arrives complete`() throws {
        let count = 16 << 20
        let listener = try listener(bodyMax: count)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(plain(count))
        #expect(try client.readAnswer().body.hasSuffix("body=\(count)"))
    }

    @Test(arguments: [(8_000, 200), (40_000, 431), (400_000, 431)])
    func `a long header line is answered 431`(count: Int, status: Int) throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "GET / HTTP/1.1\r\nHost: a\r\nX-A: \(String(repeating: "x", count: count))\r\n\r\n")
        #expect(try client.readAnswer().status == status)
    }

    @Test func `many short header lines are answered 431`() throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        let lines = (0..<5_000).map { "X-\($0): y\r\n" }.joined()
        client.write("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
        #expect(try client.readAnswer().status == 431)
    }

    @Test func `a long request target is answered 414`() throws {
        let listener = try listener()
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(
            "GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().status == 414)
    }

    @Test func `a connection above the limit waits until one leaves`() throws {
        let listener = try HTTPListener(
            ListenerConfiguration(
                connectionsMax: 4, idleSecondsMax: 86_400, pressedMillisecondsMax: 86_400_000),
            handler: echo)
        defer { listener.stop() }
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        var clients: [RawClient] = []
        for _ in 0..<4 {
            let client = try RawClient(port: listener.port)
            client.write(request)
            #expect(try client.readAnswer().status == 200)
            clients.append(client)
        }
        let late = Box(0)
        let asked = Box(false)
        let port = listener.port
        let group = onThreads(1) { _ in
            guard let client = try? RawClient(port: port) else { return }
            client.write(request)
            asked.update { $0 = true }
            let status = (try? client.readAnswer())?.status
            late.update { $0 = status ?? -1 }
        }
        #expect(eventually { asked.value })
        // Those that are in are answered after it asked; it is not.
        for client in Array(repeating: clients, count: 25).joined() {
            client.write(request)
            #expect(try client.readAnswer().status == 200)
        }
        #expect(late.value == 0)
        clients.removeAll()
        group.wait()
        #expect(late.value == 200)
    }

    @Test func `an idle connection is closed`() throws {
        let listener = try HTTPListener(.patient(idle: 1), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        #expect(client.isClosedNow())
    }
}
