import Foundation
import StoreHTTP
import TestSupport
import Testing

/// A listener's port for TLS: whatever comes there, requests are judged as on the other, and neither
/// takes anything from the other.
@Suite(.ownThreads) struct TLSPortTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private let files: TLSFiles

    init() throws { files = try TLSFiles.get() }

    private func listener(
        _ configuration: ListenerConfiguration = .patient(), connectionsMax: Int = 64,
        _ handler: @escaping HTTPListener.Handler = echo
    ) throws -> (listener: HTTPListener, tlsPort: Int) {
        var configuration = configuration
        configuration.tls = try files.port(connectionsMax: connectionsMax)
        let listener = try HTTPListener(configuration, handler: handler)
        return (listener, try #require(listener.tlsPort))
    }

    private func connect(_ port: Int, _ arguments: [String] = []) throws -> TLSClient {
        try TLSClient(port: port, trusting: files.certificate, arguments)
    }

    private func expectAnswer(at port: Int) throws {
        let client = try connect(port)
        client.raw.write(Self.get)
        #expect(try client.raw.readAnswer().status == 200, "\(client.said)")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `two requests are answered on one connection of either version`(version: String) throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        #expect(listener.tlsURL == "https://127.0.0.1:\(port)")
        #expect(port != listener.port)
        let client = try connect(port, [version])
        for number in 1...2 {
            client.raw.write(
                "POST /p\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let answer = try client.raw.readAnswer()
            #expect(answer.body.hasPrefix("POST /p\(number)"))
            #expect(answer.body.hasSuffix("body=3"))
        }
    }

    @Test(arguments: [
        ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], ["-tls1", "-cipher", "DEFAULT@SECLEVEL=0"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384"],
        ["-tls1_2", "-cipher", "AES128-GCM-SHA256:DHE-RSA-AES128-GCM-SHA256"],
    ])
    func `older versions and weaker ciphers get no connection`(arguments: [String]) throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        let client = try connect(port, arguments)
        client.raw.write(Self.get)
        #expect(client.raw.isClosedNow())
        try expectAnswer(at: port)
    }

    @Test func `a client that wants another protocol gets HTTP/1.1`() throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        let client = try connect(port, ["-alpn", "h2,http/1.1"])
        client.raw.write(Self.get)
        #expect(try client.raw.readAnswer().head.hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    ])
    func `what is refused on one port is refused on the other`(request: String) throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        let plain = try RawClient(port: listener.port)
        plain.write(request)
        let client = try connect(port)
        client.raw.write(request)
        let (expected, answer) = (try plain.readAnswer(), try client.raw.readAnswer())
        // libmicrohttpd sends the header of its own error pages twice, with the date of the second.
        let date = /Date: [^\r]*/
        #expect(answer.status == expected.status)
        #expect(answer.body.replacing(date, with: "") == expected.body.replacing(date, with: ""))
        #expect(answer.status == 400)
        #expect(client.raw.readsToEnd())
        try expectAnswer(at: port)
    }

    @Test(arguments: [
        get, "", "rubbish\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}",
        "\u{16}\u{3}\u{1}\u{7F}\u{7F}" + String(repeating: "x", count: 40_000),
        "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", "\u{17}\u{3}\u{3}\u{0}\u{10}0123456789abcdef",
    ])
    func `bytes that are not TLS get no answer and are closed`(bytes: String) throws {
        let (listener, port) = try listener(.patient(idle: 1))
        defer { listener.stop() }
        let begun = listener.requestsOpen
        let client = try RawClient(port: port)
        client.write(bytes)
        #expect(client.readsToEnd())
        #expect(listener.requestsOpen == begun)
        try expectAnswer(at: port)
    }

    @Test func `a handshake that drips is cut off`() throws {
        let (listener, port) = try listener(.patient(idle: 1))
        defer { listener.stop() }
        let client = try RawClient(port: port)
        let start = Date()
        var isTaken = true
        // A greeting of 512 bytes, none of which is wrong so far.
        for byte in [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 500)
        where isTaken {
            isTaken = client.write([byte]) == 1
            usleep(50_000)
        }
        #expect(client.readsToEnd())
        #expect(Date().timeIntervalSince(start) < 20)
        try expectAnswer(at: port)
    }

    @Test func `a dripping request is cut off`() throws {
        let (listener, port) = try listener(.patient(arrival: 1))
        defer { listener.stop() }
        let client = try connect(port)
        client.raw.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n")
        let isGone = eventually {
            usleep(50_000)
            return client.raw.write("x") == 0
        }
        #expect(isGone)
        try expectAnswer(at: port)
    }

    @Test func `a client that leaves without a word frees its place`() throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        for request in [Self.get, "GET / HTTP/1.1\r\nHost", ""] {
            let client = try connect(port)
            client.raw.write(Self.get)
            _ = try client.raw.readAnswer()
            client.raw.write(request)
            client.kill()
        }
        #expect(eventually { listener.requestsOpen == 0 })
        try expectAnswer(at: port)
    }

    @Test func `a client that asks for another handshake is cut off`() throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        let client = try TLSClient(
            port: port, trusting: files.certificate, ["-tls1_2"], takesCommands: true)
        client.raw.write("R\n")
        #expect(client.raw.readsToEnd())
        try expectAnswer(at: port)
    }

    @Test(arguments: [true, false])
    func `a crowd at one port takes no place from the other`(isCrowdEncrypted: Bool) throws {
        let (listener, port) = try listener(
            ListenerConfiguration(
                connectionsMax: 8, idleSecondsMax: 86_400, pressedMillisecondsMax: 86_400_000),
            connectionsMax: 8)
        defer { listener.stop() }
        let crowd = try (0..<40).map { _ in
            try RawClient(port: isCrowdEncrypted ? port : listener.port)
        }
        for _ in 0..<3 {
            if isCrowdEncrypted {
                let client = try RawClient(port: listener.port)
                client.write(Self.get)
                #expect(try client.readAnswer().status == 200)
            } else {
                try expectAnswer(at: port)
            }
        }
        _ = crowd
    }

    @Test func `unfinished handshakes that take all places give way to an active client`() throws {
        let (listener, port) = try listener(
            ListenerConfiguration(idleSecondsMax: 86_400, pressedMillisecondsMax: 400),
            connectionsMax: 8)
        defer { listener.stop() }
        let crowd = try (0..<40).map { number in
            let client = try RawClient(port: port)
            client.write(number % 2 == 0 ? "" : "\u{16}\u{3}\u{1}")
            return client
        }
        try expectAnswer(at: port)
        _ = crowd
    }

    @Test func `both ports share the memory for bodies`() throws {
        var configuration = ListenerConfiguration.patient()
        configuration.bodyBytesOpenMax = 300 << 10
        let (listener, port) = try listener(configuration)
        defer { listener.stop() }
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n"
        let part = String(repeating: "x", count: 250 << 10)
        let plain = try RawClient(port: listener.port)
        plain.write(head + part)
        #expect(eventually { listener.bodyBytesOpen >= 250 << 10 })
        let client = try connect(port)
        client.raw.write(head + String(repeating: "x", count: 400_000))
        #expect(try client.raw.readAnswer().status == 503)
    }

    @Test func `a large body and a large answer pass whole`() throws {
        let (listener, port) = try listener { request, responder in
            responder.send(HTTPResponse(status: 200, body: request.body))
        }
        defer { listener.stop() }
        let client = try connect(port)
        let body = String(repeating: "0123456789abcdef", count: 60_000)
        client.raw.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        client.raw.write(body)
        #expect(try client.raw.readAnswer().body == body)
    }

    @Test func `a file passes whole and in part`() throws {
        let folder = TemporaryFolder()
        let text = String(repeating: "0123456789abcdef", count: 30_000)
        let path = try folder.write(text, "file")
        let (listener, port) = try listener { request, responder in
            let answer = OpenFile(path: path).flatMap {
                HTTPResponse.file($0, digest: "abc", for: request)
            }
            responder.send(answer ?? HTTPResponse(status: 404))
        }
        defer { listener.stop() }
        let client = try connect(port)
        client.raw.write(Self.get)
        #expect(try client.raw.readAnswer().body == text)
        client.raw.write("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=16-31\r\n\r\n")
        #expect(try client.raw.readAnswer().body == "0123456789abcdef")
    }

    @Test func `a client that leaves amid its answer frees the memory for it`() throws {
        let (listener, port) = try listener(ListenerConfiguration()) {
            let count = $0.path == "/large" ? 32 << 20 : 10
            $1.send(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: count)))
        }
        defer { listener.stop() }
        for _ in 0..<3 {
            let client = try connect(port)
            client.raw.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { listener.answerBytesOpen == 32 << 20 })
            client.kill()
            #expect(eventually { listener.answerBytesOpen == 0 })
        }
        try expectAnswer(at: port)
    }

    @Test func `requests sent at once are answered in their order`() throws {
        let (listener, port) = try listener()
        defer { listener.stop() }
        let client = try connect(port)
        client.raw.write(
            (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 0..<50 {
            #expect(try client.raw.readAnswer().body.hasPrefix("GET /\(number)\n"))
        }
    }

    @Test func `an answer that comes later reaches its client`() throws {
        let waiting = Box<[Responder]>([])
        let (listener, port) = try listener { _, responder in
            waiting.update { $0.append(responder) }
        }
        defer { listener.stop() }
        let client = try connect(port)
        client.raw.write(Self.get)
        #expect(eventually { !waiting.value.isEmpty })
        for responder in waiting.value { responder.send(HTTPResponse(status: 204)) }
        #expect(try client.raw.readAnswer().status == 204)
    }

    @Test func `a stop answers what is in progress and closes the rest, also half handshakes`()
        throws
    {
        let waiting = Box<Responder?>(nil)
        let (listener, port) = try listener { request, responder in
            guard request.path == "/late" else {
                return responder.send(HTTPResponse(status: 200))
            }
            waiting.update { $0 = responder }
        }
        let idle = try connect(port)
        idle.raw.write(Self.get)
        #expect(try idle.raw.readAnswer().status == 200)
        let half = try RawClient(port: port)
        half.write("\u{16}\u{3}\u{1}")
        let late = try connect(port)
        late.raw.write("GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { waiting.value != nil })
        let answering = onThreads(1) { _ in
            _ = eventually { listener.isStopping }
            waiting.value?.send(HTTPResponse(status: 201))
        }
        listener.stop(graceMilliseconds: 600_000)
        answering.wait()
        #expect(try late.raw.readAnswer().status == 201)
        #expect(late.raw.isClosedNow())
        #expect(idle.raw.isClosedNow())
        #expect(half.readsToEnd())
        #expect(throws: RawClientError.self) { try RawClient(port: port) }
    }

    @Test func `a request knows whether it came over TLS`() throws {
        let found = Box<[Bool]>([])
        let (listener, port) = try listener { request, responder in
            found.update { $0.append(request.peer.isEncrypted) }
            responder.send(HTTPResponse(status: 200))
        }
        defer { listener.stop() }
        let plain = try RawClient(port: listener.port)
        plain.write(Self.get)
        _ = try plain.readAnswer()
        try expectAnswer(at: port)
        #expect(found.value == [false, true])
    }

    @Test func `a certificate that is none, or a port in use, leaves no listener behind`() throws {
        var configuration = ListenerConfiguration()
        configuration.tls = TLSPort(connectionsMax: 8, key: [0x78], certificate: [0x78])
        #expect(throws: ListenerError.self) { try HTTPListener(configuration, handler: echo) }
        let (other, port) = try listener()
        defer { other.stop() }
        configuration.tls = try files.port()
        configuration.tls?.port = port
        let error = #expect(throws: ListenerError.self) {
            try HTTPListener(configuration, handler: echo)
        }
        #expect(error?.code == .addressInUse)
    }
}
