import Foundation
import StoreCaller
import TestSupport
import Testing

/// The end of a loop, and of the calls in it.
@Suite(.ownThreads) struct CallerLoopCloseTests {
    @Test func `closing cancels the calls under way and those that wait`() throws {
        let asked = Counted()
        let server = try RawServer { peer in
            while peer.readRequest() != nil { asked.add() }
        }
        let loop = CallerLoop(callsMax: 3, connectionsPerHostMax: 2)
        let answers = Answers()
        for _ in 0..<20 { loop.send(patient(server.url), then: answers.note()) }
        #expect(eventually { asked.value == 2 })
        loop.close()
        #expect(answers.all.map(\.code) == Array(repeating: .cancelled, count: 20))
        #expect(asked.value == 2)
        loop.close()
        #expect(answers.all.count == 20)
    }

    @Test func `a cancellation ends its call and leaves the others`() throws {
        let asked = Counted()
        let server = try RawServer { peer in
            while peer.readRequest() != nil { asked.add() }
        }
        let loop = CallerLoop(callsMax: 8, connectionsPerHostMax: 2)
        let cancellation = CallCancellation()
        let (ended, others) = (Answers(), Answers())
        for _ in 0..<2 {
            loop.send(patient(server.url), cancellation: cancellation, then: ended.note())
        }
        // These wait for the places of the first two.
        loop.send(patient(server.url), cancellation: cancellation, then: ended.note())
        loop.send(patient(server.url), then: others.note())
        #expect(eventually { asked.value == 2 })
        cancellation.cancel()
        #expect(ended.wait(for: 3))
        #expect(ended.all.map(\.code) == Array(repeating: .cancelled, count: 3))
        #expect(eventually { asked.value == 3 })
        #expect(others.all.isEmpty)
        loop.close()
    }

    @Test func `a call sent to a closed loop is cancelled at once`() throws {
        let server = try RawServer.answering(ok)
        let (used, unused) = (
            CallerLoop(callsMax: 1, connectionsPerHostMax: 1),
            CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        )
        #expect(used.answer(to: .init(method: "GET", url: server.url)).status == 200)
        for loop in [used, unused] {
            loop.close()
            let answers = Answers()
            loop.send(.init(method: "GET", url: server.url), then: answers.note())
            #expect(answers.all.map(\.code) == [.cancelled])
        }
    }

    @Test func `closing closes the kept connections`() throws {
        let closed = Counted()
        let server = try RawServer { peer in
            while peer.readRequest() != nil { peer.write(ok) }
            closed.add()
        }
        let loop = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        #expect(loop.answer(to: .init(method: "GET", url: server.url)).status == 200)
        loop.close()
        #expect(eventually { closed.value == 1 })
    }

    @Test func `several threads may close at the same time`() throws {
        let server = try RawServer { peer in while peer.readRequest() != nil {} }
        let loop = CallerLoop(callsMax: 10, connectionsPerHostMax: 10)
        let answers = Answers()
        for _ in 0..<20 { loop.send(patient(server.url), then: answers.note()) }
        let (group, early) = (DispatchGroup(), Counted())
        for _ in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                loop.close()
                if answers.all.count != 20 { early.add() }
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + 120) == .success)
        #expect(early.value == 0)
    }

    @Test func `a thread that is started after a loop's has ended may close the loop`() {
        let loop = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        #expect(loop.answer(to: .init(method: "GET", url: "nothing")).code == .badURL)
        loop.close()
        // Such a thread may get the identity of the one that has ended.
        for _ in 0..<20 {
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                loop.close()
                end.signal()
            }
            end.wait()
        }
    }

    @Test func `a loop that is released without being closed ends`() throws {
        let (asked, closed) = (Counted(), Counted())
        let server = try RawServer { peer in
            while peer.readRequest() != nil { asked.add() }
            closed.add()
        }
        let answers = Answers()
        var loop: CallerLoop? = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        for _ in 0..<3 { loop?.send(patient(server.url), then: answers.note()) }
        #expect(eventually { asked.value == 1 })
        weak let released = loop
        loop = nil
        #expect(released == nil)
        #expect(answers.wait(for: 3))
        #expect(answers.all.map(\.code) == Array(repeating: .cancelled, count: 3))
        #expect(eventually { closed.value == 1 })
    }

    @Test func `each call is answered exactly once, whatever happens to it`() throws {
        let server = try RawServer { peer in
            while let request = peer.readRequest() {
                switch request.split(separator: " ")[1] {
                case "/ok": peer.write(ok)
                case "/close": return
                case "/reset": return peer.reset()
                case "/half": peer.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
                case "/long": peer.write(long)
                default: break
                }
            }
        }
        let loop = CallerLoop(callsMax: 40, connectionsPerHostMax: 20)
        let port = FreePort.next()
        let urls =
            ["/ok", "/close", "/reset", "/half", "/long", "/hang"].map { server.url + $0 }
            + ["http://localhost:\(port)/", "http://\(noName)/", "nothing"]
        let counts = Box([Int](repeating: 0, count: 1_200))
        let (group, ended) = (DispatchGroup(), Counted())
        for thread in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                for turn in 0..<300 {
                    let number = thread * 300 + turn
                    let request = CallerRequest(
                        method: "GET", url: urls[turn % urls.count], timeoutMilliseconds: 200,
                        responseBodyMax: 100, cutsLongAnswers: turn % 2 == 0,
                        refusesPrivateAddresses: turn % 5 == 0)
                    loop.send(request) { _ in
                        counts.update { $0[number] += 1 }
                        ended.add()
                    }
                }
                group.leave()
            }
        }
        #expect(eventually { ended.value > 400 })
        loop.close()
        #expect(group.wait(timeout: .now() + 120) == .success)
        #expect(counts.value == [Int](repeating: 1, count: 1_200))
    }

    @Test func `a loop closed on its own thread ends the process with a sentence`() async throws {
        await #expect(processExitsWith: .failure) {
            let loop = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
            loop.send(.init(method: "GET", url: "nothing")) { _ in loop.close() }
            while true { sleep(1) }
        }
    }

    private func patient(_ url: String) -> CallerRequest {
        CallerRequest(method: "GET", url: url, timeoutMilliseconds: 600_000)
    }
}

private let long =
    "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + String(repeating: "x", count: 200)
