import Foundation
import StoreHTTP
import Synchronization
import TestSupport
import Testing

/// The end of a listener, whatever is under way.
@Suite(.ownThreads) struct StopTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A listener, and a client whose request waits to be answered.
    private static func asked(
        _ waiting: Box<Responder?>
    ) throws -> (HTTPListener, RawClient) {
        let listener = try HTTPListener(.patient()) { _, responder in
            waiting.update { $0 = responder }
        }
        let client = try RawClient(port: listener.port)
        client.write(get)
        #expect(eventually { waiting.value != nil })
        return (listener, client)
    }

    @Test func `a request in progress is answered before the stop`() throws {
        let waiting = Box<Responder?>(nil)
        let (listener, client) = try Self.asked(waiting)
        let answering = onThreads(1) { _ in
            _ = eventually { listener.isStopping }
            waiting.value?.send(HTTPResponse(status: 201))
        }
        listener.stop(graceMilliseconds: 600_000)
        answering.wait()
        let answer = try client.readAnswer()
        #expect(answer.status == 201)
        #expect(answer.header("connection")?.lowercased() == "close")
        #expect(client.isClosedNow())
    }

    @Test func `a request that outlasts the stop's grace is asked to come back later`() throws {
        let begun = Box(false)
        let listener = try HTTPListener(.patient()) { _, _ in
            begun.update { $0 = true }
        }
        let client = try RawClient(port: listener.port)
        client.write(Self.get)
        #expect(eventually { begun.value })
        #expect(stops(listener))
        let answer = try client.readAnswer()
        #expect(answer.status == 503)
        #expect(answer.body.contains("notAnswered"))
    }

    @Test func `a stopped listener admits nobody, and stopping again does nothing`() throws {
        let listener = try HTTPListener(
            ListenerConfiguration(port: FreePort.next()), handler: echo)
        let idle = try RawClient(port: listener.port)
        idle.write(Self.get)
        #expect(try idle.readAnswer().status == 200)
        onThreads(4) { _ in listener.stop() }.wait()
        listener.stop()
        #expect(idle.isClosedNow())
        #expect(throws: RawClientError.self) { try RawClient(port: listener.port) }
    }

    @Test func `a listener stops while clients connect and ask`() throws {
        for _ in 0..<400 {
            let listener = try HTTPListener(ListenerConfiguration(), handler: echo)
            let port = listener.port
            let answers = Atomic(0)
            let isOver = Atomic(false)
            let clients = onThreads(4) { _ in
                // Another test's listener may get the port afterwards.
                while !isOver.load(ordering: .relaxed), let client = try? RawClient(port: port) {
                    client.write(Self.get)
                    guard (try? client.readAnswer())?.status == 200 else { return }
                    answers.add(1, ordering: .relaxed)
                }
            }
            #expect(eventually { answers.load(ordering: .relaxed) >= 8 })
            isOver.store(true, ordering: .relaxed)
            listener.stop()
            clients.wait()
        }
    }

    @Test func `a listener that stops takes no new client, and answers the one that it has`() throws
    {
        let waiting = Box<Responder?>(nil)
        let (listener, client) = try Self.asked(waiting)
        let stopping = onThreads(1) { _ in listener.stop(graceMilliseconds: 600_000) }
        #expect(eventually { listener.isStopping })
        if let late = try? RawClient(port: listener.port) {
            late.write(Self.get)
            #expect((try? late.readAnswer()) == nil)
        }
        waiting.value?.send(HTTPResponse(status: 201))
        #expect(try client.readAnswer().status == 201)
        stopping.wait()
    }

    @Test func `a stopped listener frees its port at once`() throws {
        let port = FreePort.next()
        let first = try HTTPListener(ListenerConfiguration(port: port), handler: echo)
        let client = try RawClient(port: port)
        client.write(Self.get)
        #expect(try client.readAnswer().status == 200)
        first.stop()
        let second = try HTTPListener(ListenerConfiguration(port: port), handler: echo)
        second.stop()
    }

    @Test func `half a request delays a stop no longer than the grace`() throws {
        let listener = try HTTPListener(.patient(), handler: echo)
        let client = try RawClient(port: listener.port)
        client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
        #expect(eventually { listener.bodyBytesOpen == 4 })
        #expect(stops(listener))
    }

    /// Whether a listener, all of whose other limits are days, ends with a grace.
    private func stops(_ listener: HTTPListener) -> Bool {
        let isOver = Box(false)
        _ = onThreads(1) { _ in
            listener.stop(graceMilliseconds: 200)
            isOver.update { $0 = true }
        }
        return eventually { isOver.value }
    }

    @Test func `a released listener stops by itself`() throws {
        let begun = Box(false)
        var listener: HTTPListener? = try HTTPListener(
            ListenerConfiguration(port: FreePort.next())
        ) { _, _ in
            begun.update { $0 = true }
        }
        let port = try #require(listener?.port)
        let client = try RawClient(port: port)
        client.write(Self.get)
        #expect(eventually { begun.value })
        listener = nil
        #expect(throws: RawClientError.self) { try RawClient(port: port) }
    }

    @Test func `stopping under load does no harm`() throws {
        for _ in 0..<5 {
            let queue = DispatchQueue(label: "answers", attributes: .concurrent)
            let listener = try HTTPListener(ListenerConfiguration()) { _, responder in
                queue.async { responder.send(HTTPResponse(status: 200)) }
            }
            let port = listener.port
            let wrong = Box<[Int]>([])
            let good = Box(0)
            let group = onThreads(16) { _ in
                while let client = try? RawClient(port: port) {
                    while client.write(Self.get) > 0, let answer = try? client.readAnswer() {
                        if answer.status == 200 { good.update { $0 += 1 } }
                        if answer.status != 200, answer.status != 503 {
                            wrong.update { $0.append(answer.status) }
                        }
                    }
                }
            }
            #expect(eventually { good.value > 200 })
            listener.stop()
            group.wait()
            #expect(wrong.value.isEmpty)
        }
    }
}
