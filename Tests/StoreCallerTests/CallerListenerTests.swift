import Foundation
import StoreCaller
import StoreHTTP
import Synchronization
import TestSupport
import Testing

/// The caller against our own listener.
@Suite(.ownThreads) struct CallerListenerTests {
    @Test func `calls of many threads each get their own answer`() throws {
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            responder.send(HTTPResponse(status: 200, body: request.body))
        }
        defer { listener.stop() }
        let caller = Caller()
        let url = "http://127.0.0.1:\(listener.port)/"
        let good = Counted()
        let group = DispatchGroup()
        for number in 0..<8 {
            group.enter()
            Thread.detachNewThread {
                for turn in 0..<100 {
                    let body = Array("\(number)-\(turn)".utf8)
                    let request = CallerRequest(method: "POST", url: url, body: body)
                    if (try? caller.send(request))?.body == body { good.add() }
                }
                group.leave()
            }
        }
        group.wait()
        #expect(good.value == 800)
    }

    @Test func `a long poll waits for its answer and ends when the listener stops`() throws {
        let isWaiting = Box(false)
        let listener = try HTTPListener(
            ListenerConfiguration(suspendedMillisecondsMax: 600_000)
        ) { _, _ in isWaiting.value = true }
        let request = CallerRequest(
            method: "GET", url: "http://127.0.0.1:\(listener.port)/updates",
            timeoutMilliseconds: 600_000)
        Thread.detachNewThread {
            _ = eventually { isWaiting.value }
            listener.stop(graceMilliseconds: 100)
        }
        // Only the stop answers so; the listener's own limit and the call's are far away.
        #expect(try Caller().send(request).status == 503)
    }

    @Test func `a connection closed by the listener is replaced`() throws {
        let port = FreePort.next()
        let first = try HTTPListener(ListenerConfiguration(port: port)) { _, responder in
            responder.send(HTTPResponse(status: 200))
        }
        let caller = Caller()
        let url = "http://127.0.0.1:\(port)/"
        #expect(try caller.send(CallerRequest(method: "POST", url: url, body: [1])).status == 200)
        first.stop()
        let second = try HTTPListener(ListenerConfiguration(port: port)) {
            $1.send(HTTPResponse(status: 201))
        }
        defer { second.stop() }
        #expect(try caller.send(CallerRequest(method: "POST", url: url, body: [1])).status == 201)
    }

    @Test func `an isolated request has a connection of its own`() throws {
        let connections = Count()
        let server = try RawServer { peer in
            connections.value.withLock { $0 += 1 }
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let caller = Caller()
        func send(alone: Bool) throws {
            let request = CallerRequest(
                method: "POST", url: "http://127.0.0.1:\(server.port)/", body: [1], isAlone: alone)
            #expect(try caller.send(request).status == 200)
        }
        try send(alone: false)
        try send(alone: false)
        #expect(connections.value.withLock { $0 } == 1)
        try send(alone: true)
        try send(alone: true)
        #expect(connections.value.withLock { $0 } == 3)
        try send(alone: false)
        #expect(connections.value.withLock { $0 } == 3, "the one that was kept is still there")
    }

    @Test(arguments: [(1_000, 200), (1_001, 413)])
    func `a refusal by the listener reaches the caller`(count: Int, status: Int) throws {
        let listener = try HTTPListener(
            ListenerConfiguration(bodyBytesMax: { _, _, _ in 1_000 })
        ) { _, responder in responder.send(HTTPResponse(status: 200)) }
        defer { listener.stop() }
        let request = CallerRequest(
            method: "POST", url: "http://127.0.0.1:\(listener.port)/",
            body: [UInt8](repeating: 0, count: count))
        #expect(try Caller().send(request).status == status)
    }
}

private final class Count: Sendable {
    let value = Mutex(0)
}
