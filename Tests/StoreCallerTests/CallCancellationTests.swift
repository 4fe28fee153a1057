import Foundation
import StoreCaller
import TestSupport
import Testing

@Suite(.ownThreads) struct CallCancellationTests {
    @Test func `a cancelled call is not started`() throws {
        let cancellation = CallCancellation()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        let hits = Counted()
        let server = try RawServer { _ in hits.add() }
        #expect(throws: CallerError.self) {
            try Caller().send(
                CallerRequest(method: "GET", url: server.url), cancellation: cancellation)
        }
        #expect(hits.value == 0)
    }

    @Test func `one cancel ends every call that waits`() throws {
        let asked = Counted()
        let server = try RawServer { peer in
            _ = peer.readRequest()
            asked.add()
            _ = peer.readRequest()
        }
        let caller = Caller()
        let cancellation = CallCancellation()
        let codes = Box<[CallerError.Code]>([])
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "calls", attributes: .concurrent)
        for _ in 0..<8 {
            queue.async(group: group) {
                do {
                    _ = try caller.send(
                        CallerRequest(
                            method: "GET", url: server.url, timeoutMilliseconds: 600_000),
                        cancellation: cancellation)
                } catch let error as CallerError {
                    codes.update { $0.append(error.code) }
                } catch {}
            }
        }
        #expect(eventually { asked.value == 8 })
        cancellation.cancel()
        #expect(group.wait(timeout: .now() + 120) == .success)
        #expect(codes.value == Array(repeating: .cancelled, count: 8))
    }

    @Test func `a cancellation ends only its own calls`() throws {
        let server = try RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let caller = Caller()
        let request = CallerRequest(method: "GET", url: server.url)
        let first = CallCancellation()
        #expect(try caller.send(request, cancellation: first).status == 200)
        first.cancel()
        #expect(try caller.send(request, cancellation: CallCancellation()).status == 200)
        #expect(try caller.send(request).status == 200)
    }
}
