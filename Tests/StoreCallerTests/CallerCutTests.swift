import StoreCaller
import TestSupport
import Testing

/// Answers that are longer than the limit, for requests that cut them.
@Suite(.ownThreads) struct CallerCutTests {
    @Test(
        arguments: Way.all,
        [
            "Content-Length: 11\r\n\r\nhello world",
            "Transfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n",
            "Connection: close\r\n\r\nhello world",
        ])
    func `a body above the limit is cut and one at the limit is not`(
        way: Way, rest: String
    ) throws {
        let server = try RawServer { peer in
            _ = peer.readRequest()
            peer.write("HTTP/1.1 418 Teapot\r\nX-Kind: tea\r\n\(rest)")
        }
        let send = way.start()
        var request = CallerRequest(
            method: "GET", url: server.url, responseBodyMax: 11, cutsLongAnswers: true)
        let whole = try send(request).get()
        #expect(whole.body == Array("hello world".utf8))
        #expect(!whole.isCut)
        for max in [10, 1, 0] {
            request.responseBodyMax = max
            let cut = try send(request).get()
            #expect(cut.status == 418)
            #expect(cut.headers["x-kind"] == "tea")
            #expect(cut.body == Array("hello world".utf8.prefix(max)))
            #expect(cut.isCut)
        }
    }

    @Test(
        arguments: Way.all, ["Content-Length: 1000000000000\r\n\r\n", "Connection: close\r\n\r\n"])
    func `an endless answer is cut and its connection closed`(way: Way, header: String) throws {
        let (connections, closed) = (Counted(), Counted())
        let server = try RawServer { peer in
            connections.add()
            _ = peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\n\(header)")
            let block = String(repeating: "x", count: 100_000)
            while peer.write(block) {}
            closed.add()
        }
        let send = way.start()
        let request = CallerRequest(
            method: "POST", url: server.url, body: [1], timeoutMilliseconds: 600_000,
            responseBodyMax: 200_000, cutsLongAnswers: true)
        for number in 1...2 {
            let cut = try send(request).get()
            #expect(cut.isCut)
            #expect(cut.body.count == 200_000)
            #expect(eventually { closed.value == number })
            #expect(connections.value == number)
        }
    }
}
