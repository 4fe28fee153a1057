import Foundation
import StoreHTTP
import Testing

/// The end of a listener, whatever is under way.
struct StopTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a request under way is answered before the end`() throws {
        let begun = Box(false)
        let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
            begun.update { $0 = true }
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
                responder.send(HTTPResponse(status: 201))
            }
        }
        let client = try RawClient(port: listener.port)
        client.write(Self.get)
        #expect(eventually { begun.value })
        listener.stop(graceMilliseconds: 5_000)
        let answer = try client.readAnswer()
        #expect(answer.status == 201)
        #expect(answer.header("connection")?.lowercased() == "close")
        #expect(client.isClosedNow())
    }

    @Test func `a request that outlasts the grace is told to ask again`() throws {
        let begun = Box(false)
        let listener = try HTTPListener(ListenerConfiguration()) { _, _ in
            begun.update { $0 = true }
        }
        let client = try RawClient(port: listener.port)
        client.write(Self.get)
        #expect(eventually { begun.value })
        let start = ContinuousClock.now
        listener.stop(graceMilliseconds: 200)
        #expect(ContinuousClock.now - start < .seconds(2))
        let answer = try client.readAnswer()
        #expect(answer.status == 503)
        #expect(answer.body.contains("notAnswered"))
    }

    @Test func `after a stop nobody is let in, and a stop again does nothing`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        let idle = try RawClient(port: listener.port)
        idle.write(Self.get)
        #expect(try idle.readAnswer().status == 200)
        onThreads(4) { _ in listener.stop() }.wait()
        listener.stop()
        #expect(idle.isClosedNow())
        #expect(throws: RawClientError.self) { try RawClient(port: listener.port) }
    }

    @Test func `a port is free again at once`() throws {
        let first = try HTTPListener(ListenerConfiguration(), handler: echo)
        let client = try RawClient(port: first.port)
        client.write(Self.get)
        #expect(try client.readAnswer().status == 200)
        first.stop()
        let second = try HTTPListener(
            ListenerConfiguration(port: first.port), handler: echo)
        second.stop()
    }

    @Test func `half a request does not hold up the end beyond the grace`() throws {
        let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
        let client = try RawClient(port: listener.port)
        client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        usleep(100_000)
        let start = ContinuousClock.now
        listener.stop(graceMilliseconds: 200)
        #expect(ContinuousClock.now - start < .seconds(3))
    }

    @Test func `a listener that is dropped stops by itself`() throws {
        var listener: HTTPListener? = try HTTPListener(ListenerConfiguration()) { _, _ in }
        let port = try #require(listener?.port)
        let client = try RawClient(port: port)
        client.write(Self.get)
        usleep(100_000)
        listener = nil
        #expect(throws: RawClientError.self) { try RawClient(port: port) }
    }

    @Test func `stopping under load harms nobody`() throws {
        for _ in 0..<5 {
            let queue = DispatchQueue(label: "answers", attributes: .concurrent)
            let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
                queue.async { responder.send(HTTPResponse(status: 200)) }
            }
            let port = listener.port
            let wrong = Box<[Int]>([])
            let group = onThreads(16) { _ in
                while let client = try? RawClient(port: port) {
                    while client.write(Self.get) > 0, let answer = try? client.readAnswer() {
                        if answer.status != 200, answer.status != 503 {
                            wrong.update { $0.append(answer.status) }
                        }
                    }
                }
            }
            usleep(100_000)
            listener.stop()
            group.wait()
            #expect(wrong.value.isEmpty)
        }
    }
}
