import Foundation
import StoreCaller
import Synchronization
import TestSupport
import Testing

/// What only a loop does: many calls at once, their limits, their order and their thread.
@Suite(.ownThreads) struct CallerLoopTests {
    @Test func `a receiver that never answers does not hold up others`() throws {
        let connections = Counted()
        let hanging = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil {}
        }
        let fast = try RawServer.answering(ok)
        let loop = CallerLoop(callsMax: 4, connectionsPerHostMax: 2)
        let (hung, answered) = (Answers(), Answers())
        for _ in 0..<100 {
            let request = CallerRequest(
                method: "POST", url: hanging.url, body: [1], timeoutMilliseconds: 600_000)
            loop.send(request, then: hung.note())
            let quick = CallerRequest(method: "POST", url: fast.url, body: [1])
            loop.send(quick, then: answered.note())
        }
        #expect(answered.wait(for: 100))
        #expect(answered.all.allSatisfy { $0.status == 200 })
        #expect(hung.all.isEmpty)
        loop.close()
        #expect(hung.all.map(\.code) == Array(repeating: .cancelled, count: 100))
        #expect(connections.value <= 2)
    }

    @Test func `receivers that never answer leave places to one that does`() throws {
        let hung = Answers()
        let hanging = try (0..<8).map { _ in
            try RawServer { peer in while peer.readRequest() != nil {} }
        }
        let loop = CallerLoop(callsMax: 16, connectionsPerHostMax: 4)
        for number in 0..<80 {
            let request = CallerRequest(
                method: "POST", url: hanging[number % 8].url, body: [1],
                timeoutMilliseconds: 600_000)
            loop.send(request, then: hung.note())
        }
        let healthy = try RawServer.answering(ok)
        let answered = Answers()
        for _ in 0..<10 {
            let request = CallerRequest(
                method: "POST", url: healthy.url, body: [1], timeoutMilliseconds: 600_000)
            loop.send(request, then: answered.note())
        }
        #expect(answered.wait(for: 10))
        #expect(answered.all.allSatisfy { $0.status == 200 })
        #expect(hung.all.isEmpty, "their connections are still open")
        loop.close()
        #expect(hung.all.count == 80)
    }

    @Test(arguments: [(calls: 5, host: 50, most: 3), (calls: 50, host: 5, most: 5)])
    func `no more calls run at once than allowed`(calls: Int, host: Int, most: Int) throws {
        let crowd = Crowd()
        let server = try RawServer { peer in
            while peer.readRequest() != nil {
                crowd.pass()
                peer.write(ok)
            }
        }
        let loop = CallerLoop(callsMax: calls, connectionsPerHostMax: host)
        let answers = Answers()
        for _ in 0..<50 {
            loop.send(CallerRequest(method: "GET", url: server.url), then: answers.note())
        }
        #expect(eventually { crowd.now == most })
        crowd.open(for: 50)
        #expect(answers.wait(for: 50))
        #expect(answers.all.allSatisfy { $0.status == 200 })
        #expect(crowd.max == most)
        loop.close()
    }

    @Test func `calls that are all under way at once get their own answers`() throws {
        let crowd = Crowd()
        let server = try RawServer { peer in
            while let request = peer.readRequest() {
                crowd.pass()
                let body = request.split(separator: " ")[1].dropFirst()
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let loop = CallerLoop(callsMax: 400, connectionsPerHostMax: 200)
        let answers = Answers()
        for number in 0..<200 {
            let request = CallerRequest(
                method: "GET", url: "\(server.url)/\(number)", timeoutMilliseconds: 600_000)
            loop.send(request, then: answers.note("\(number)"))
        }
        #expect(eventually { crowd.now == 200 })
        crowd.open(for: 200)
        #expect(answers.wait(for: 200))
        for (name, answer) in answers.named {
            #expect(String(decoding: try answer.get().body, as: UTF8.self) == name)
        }
        loop.close()
    }

    @Test func `calls to one host start in the order they were sent`() throws {
        let seen = Box<[Substring]>([])
        let server = try RawServer { peer in
            while let request = peer.readRequest() {
                seen.update { $0.append(request.split(separator: " ")[1]) }
                peer.write(ok)
            }
        }
        let loop = CallerLoop(callsMax: 4, connectionsPerHostMax: 1)
        let answers = Answers()
        for number in 0..<30 {
            let url = "\(server.url)/\(number)"
            loop.send(CallerRequest(method: "GET", url: url), then: answers.note())
        }
        #expect(answers.wait(for: 30))
        #expect(seen.value == (0..<30).map { "/\($0)" })
        loop.close()
    }

    @Test func `a call is sent from within the answer to another`() throws {
        let server = try RawServer.answering(ok)
        let loop = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        let (threads, end) = (Box<Set<ObjectIdentifier>>([]), DispatchSemaphore(value: 0))
        @Sendable func send(_ left: Int) {
            loop.send(CallerRequest(method: "GET", url: server.url)) { answer in
                #expect(answer.status == 200)
                threads.update { $0.insert(ObjectIdentifier(Thread.current)) }
                if left > 0 { send(left - 1) } else { end.signal() }
            }
        }
        send(100)
        #expect(end.wait(timeout: .now() + 120) == .success)
        #expect(threads.value.count == 1)
        #expect(!threads.value.contains(ObjectIdentifier(Thread.current)))
        loop.close()
    }

    @Test func `calls one after the other share a connection`() throws {
        let connections = Counted()
        let server = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil { peer.write(ok) }
        }
        let loop = CallerLoop(callsMax: 8, connectionsPerHostMax: 8)
        for _ in 0..<50 {
            let request = CallerRequest(method: "POST", url: server.url, body: [1])
            #expect(loop.answer(to: request).status == 200)
        }
        #expect(connections.value == 1)
        #expect(
            loop.answer(to: .init(method: "GET", url: server.url, isAlone: true)).status == 200)
        #expect(connections.value == 2)
        loop.close()
    }

    @Test func `calls at the same time keep no more connections than their limit`() throws {
        let connections = Counted()
        let server = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil { peer.write(ok) }
        }
        let loop = CallerLoop(callsMax: 100, connectionsPerHostMax: 4)
        let answers = Answers()
        for _ in 0..<400 {
            loop.send(CallerRequest(method: "GET", url: server.url), then: answers.note())
        }
        #expect(answers.wait(for: 400))
        #expect(answers.all.allSatisfy { $0.status == 200 })
        #expect((1...4).contains(connections.value))
        loop.close()
    }

    @Test func `more hosts than connections share the connections in turn`() throws {
        let open = Crowd()
        let servers = try (0..<12).map { _ in
            try RawServer { peer in
                open.enter()
                while peer.readRequest() != nil { peer.write(ok) }
                open.leave()
            }
        }
        let loop = CallerLoop(callsMax: 3, connectionsPerHostMax: 2)
        for _ in 0..<3 {
            let answers = Answers()
            for server in servers + servers {
                loop.send(CallerRequest(method: "GET", url: server.url), then: answers.note())
            }
            #expect(answers.wait(for: 24))
            #expect(answers.all.allSatisfy { $0.status == 200 })
        }
        #expect(eventually { open.now <= 3 })
        loop.close()
        #expect(eventually { open.now == 0 })
    }

    @Test func `a kept connection that was closed is replaced`() throws {
        let closed = Counted()
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write(ok)
            peer.shutDown()
            closed.add()
        }
        let loop = CallerLoop(callsMax: 2, connectionsPerHostMax: 2)
        for number in 1...5 {
            let request = CallerRequest(method: "POST", url: server.url, body: [1])
            #expect(loop.answer(to: request).status == 200)
            #expect(eventually { closed.value == number })
        }
        loop.close()
    }

    @Test func `a call that cannot be sent is told so on the loop's thread`() {
        let loop = CallerLoop(callsMax: 1, connectionsPerHostMax: 1)
        for url in ["", "ftp://127.0.0.1/", "http://127.0.0.1:99999/", "http://[::1/"] {
            #expect(loop.answer(to: .init(method: "GET", url: url)).code == .badURL)
        }
        #expect(loop.answer(to: .init(method: "", url: "http://127.0.0.1:1/")).code == .other)
        loop.close()
    }
}
