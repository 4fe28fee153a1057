import Foundation
import StoreHTTP
import TestSupport
import Testing

/// Clients that send or read as slowly as they can, and more of them than there are places.
@Suite(.ownThreads) struct SlowClientTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Sends a text again and again, byte by byte, until the other side is gone, for some minutes
    /// at most; whether it went.
    private func drip(_ text: String, to client: RawClient) -> Bool {
        let bytes = Array(text.utf8)
        for number in 0..<2_400 {
            guard client.write([bytes[number % bytes.count]]) == 1 else { return true }
            usleep(50_000)
        }
        return false
    }

    @Test func `a dripping body is cut off even though bytes arrive`() throws {
        let listener = try HTTPListener(.patient(arrival: 1), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n")
        #expect(drip("x", to: client))
        #expect(client.isClosedNow())
    }

    @Test(arguments: ["GET /", Self.get + "GET /"])
    func `a dripping request line is cut off, on a new and a kept connection`(begin: String) throws
    {
        let listener = try HTTPListener(.patient(idle: 1), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(begin)
        if begin.hasPrefix(Self.get) { #expect(try client.readAnswer().status == 200) }
        #expect(drip("x", to: client))
        #expect(client.isClosedNow())
    }

    @Test(arguments: [
        "GET /hea", "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
    ])
    func `half a request whose client stops sending is closed soon`(half: String) throws {
        let listener = try HTTPListener(.patient(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.writeLast(half)
        #expect(client.isClosedNow())
    }

    @Test func `a client that half-closes after its request gets its answer, however late`() throws
    {
        let waiting = Box<[Responder]>([])
        let listener = try HTTPListener(.patient()) { _, responder in
            waiting.update { $0.append(responder) }
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.writeLast("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
        #expect(eventually { !waiting.value.isEmpty })
        // Who ended in the middle of a request later is cut off by now.
        let other = try RawClient(port: listener.port)
        other.writeLast("GET /hea")
        #expect(other.isClosedNow())
        for responder in waiting.value { responder.send(HTTPResponse(status: 204)) }
        #expect(try client.readAnswer().status == 204)
        #expect(client.isClosedNow())
    }

    @Test func `dripping header lines are cut off`() throws {
        let listener = try HTTPListener(.patient(arrival: 1), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write("GET / HTTP/1.1\r\nHost: a\r\n")
        #expect(drip("X-A: b\r\n", to: client))
        #expect(client.isClosedNow())
    }

    @Test func `a request complete within its time is served, however many pieces it has`()
        throws
    {
        let listener = try HTTPListener(.patient(), handler: echo)
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for byte in "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
            #expect(client.write([byte]) == 1)
            usleep(50_000)
        }
        #expect(try client.readAnswer().body.hasSuffix("body=3"))
    }

    @Test func `an answer that nobody reads is given up`() throws {
        let records = Box<[AccessRecord]>([])
        let listener = try HTTPListener(
            ListenerConfiguration(
                takingSecondsMax: 1, accessLog: { record in records.update { $0.append(record) } })
        ) { $1.send(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 32 << 20))) }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        client.write(Self.get)
        #expect(eventually { !records.value.isEmpty })
        #expect(records.value.first?.isWhole == false)
        _ = client
    }

    @Test func `large answers nobody reads use limited memory and small ones pass`()
        throws
    {
        let listener = try HTTPListener(ListenerConfiguration(answerBytesOpenMax: 70 << 20)) {
            let count = $0.path == "/large" ? 32 << 20 : 10
            $1.send(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: count)))
        }
        defer { listener.stop() }
        let large = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
        var silent: [RawClient] = []
        for _ in 0..<2 {
            let client = try RawClient(port: listener.port)
            client.write(large)
            silent.append(client)
        }
        #expect(eventually { listener.answerBytesOpen == 64 << 20 })
        let client = try RawClient(port: listener.port)
        client.write(large)
        let refused = try client.readAnswer()
        #expect(refused.status == 503)
        #expect(refused.body.contains("busy"))
        client.write(Self.get)
        #expect(try client.readAnswer().status == 200)
        // What is given up is given back.
        silent.removeAll()
        #expect(
            eventually {
                client.write(large)
                return (try? client.readAnswer())?.status == 200
            })
    }

    @Test func `an active client is served when slow ones take all places`() throws {
        let waiting = Box<[Responder]>([])
        let listener = try HTTPListener(
            ListenerConfiguration(connectionsMax: 16, pressedMillisecondsMax: 200)
        ) { request, responder in
            if request.path == "/poll" { return waiting.update { $0.append(responder) } }
            responder.send(HTTPResponse(status: 200))
        }
        defer { listener.stop() }
        var polls: [RawClient] = []
        for _ in 0..<4 {
            let client = try RawClient(port: listener.port)
            client.write("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n")
            polls.append(client)
        }
        #expect(eventually { waiting.value.count == 4 })
        // Some say nothing, some half a header, some half a body; more than there are places.
        let halves = ["", "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab"]
        let stalled = try (0..<40).map { number in
            let client = try RawClient(port: listener.port)
            client.write(halves[number % halves.count])
            return client
        }
        for _ in 0..<5 {
            let client = try RawClient(port: listener.port)
            client.write(Self.get)
            #expect(try client.readAnswer().status == 200)
        }
        // Those that wait for the server were not touched.
        for responder in waiting.value { responder.send(HTTPResponse(status: 204)) }
        for client in polls { #expect(try client.readAnswer().status == 204) }
        _ = stalled
    }
}
