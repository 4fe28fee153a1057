import Foundation
import TestSupport
import Testing

@testable import StoreHTTP

/// Requests that are answered later, or never.
@Suite(.ownThreads) struct SuspensionTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `64 suspended requests are answered from another thread`() throws {
        let waiting = Box<[Responder]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            waiting.update { $0.append(responder) }
        }
        defer { listener.stop() }
        let port = listener.port
        let statuses = Box<[Int]>([])
        let group = onThreads(64) { _ in
            guard let client = try? RawClient(port: port) else { return }
            for _ in 0..<3 {
                client.write(Self.get)
                let status = (try? client.readAnswer())?.status ?? -1
                statuses.update { $0.append(status) }
            }
        }
        for _ in 0..<3 {
            #expect(eventually { waiting.value.count == 64 })
            let responders = waiting.value
            waiting.update { $0 = [] }
            for responder in responders { responder.send(HTTPResponse(status: 201)) }
        }
        group.wait()
        #expect(statuses.value == Array(repeating: 201, count: 192))
    }

    @Test func `an answer may race with the handler's return`() throws {
        let queue = DispatchQueue(label: "answers", attributes: .concurrent)
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            queue.async { responder.send(HTTPResponse(status: 200, body: request.body)) }
        }
        defer { listener.stop() }
        let port = listener.port
        let good = Box(0)
        onThreads(8) { number in
            guard let client = try? RawClient(port: port) else { return }
            for turn in 0..<500 {
                let body = "\(number)-\(turn)"
                client.write(
                    "POST / HTTP/1.1\r\nHost: a\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                if (try? client.readAnswer())?.body == body { good.update { $0 += 1 } }
            }
        }.wait()
        #expect(good.value == 4_000)
    }

    @Test func `only the first of several answers to a suspended request counts`() throws {
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            for status in [202, 200, 404] { responder.send(HTTPResponse(status: status)) }
            DispatchQueue.global().async { responder.send(HTTPResponse(status: 500)) }
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for _ in 0..<20 {
            client.write(Self.get)
            #expect(try client.readAnswer().status == 202)
        }
    }

    @Test(arguments: [false, true])
    func `a witness sees an answer before its client`(isLate: Bool) throws {
        let seen = Box<[Int]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.show { answer in seen.update { $0.append(answer.status) } }
            let answer: @Sendable () -> Void = { responder.send(HTTPResponse(status: 201)) }
            if isLate { DispatchQueue.global().async(execute: answer) } else { answer() }
        }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for count in 1...20 {
            client.write(Self.get)
            #expect(try client.readAnswer().status == 201)
            #expect(seen.value == Array(repeating: 201, count: count))
        }
    }

    @Test func `a witness sees the answer to a client that left, once`() throws {
        let (waiting, seen) = (Box<[Responder]>([]), Box<[Int]>([]))
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            responder.show { answer in seen.update { $0.append(answer.status) } }
            waiting.update { $0.append(responder) }
        }
        defer { listener.stop() }
        for count in 1...20 {
            do {
                let client = try RawClient(port: listener.port)
                client.write(Self.get)
                #expect(eventually { waiting.value.count == count })
            }
            waiting.value.last?.send(HTTPResponse(status: 201))
            #expect(eventually { listener.requestsOpen == 0 })
            #expect(seen.value == Array(repeating: 201, count: count))
        }
    }

    @Test func `a suspended request is answered 503 after the listener's limit`()
        throws
    {
        let configuration = ListenerConfiguration(suspendedMillisecondsMax: 100)
        let listener = try HTTPListener(configuration) { _, _ in }
        defer { listener.stop() }
        let client = try RawClient(port: listener.port)
        for _ in 0..<2 {
            let start = ContinuousClock.now
            client.write(Self.get)
            let answer = try client.readAnswer()
            #expect(answer.status == 503)
            #expect(answer.body.contains("notAnswered"))
            #expect(ContinuousClock.now - start > .milliseconds(99))
        }
    }

    @Test func `clients that disconnect while waiting do no harm`() throws {
        let waiting = Box<[Responder]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            if request.path == "/ok" { return responder.send(HTTPResponse(status: 200)) }
            waiting.update { $0.append(responder) }
        }
        for round in 1...3 {
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = try RawClient(port: listener.port)
                client.write(Self.get)
                clients.append(client)
            }
            #expect(eventually { waiting.value.count == 20 * round })
            for client in clients.prefix(10) { client.reset() }
            clients.removeAll()
            let body = [UInt8](repeating: 0x78, count: 1 << 20)
            for responder in waiting.value {
                responder.send(HTTPResponse(status: 200, body: body))
            }
        }
        let client = try RawClient(port: listener.port)
        client.write("GET /ok HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
        listener.stop()
    }
}
