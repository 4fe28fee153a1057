import StoreCaller
import TestSupport
import Testing

/// Requests that refuse private addresses.
@Suite(.ownThreads) struct CallerAddressTests {
    @Test(arguments: Way.all, ["127.0.0.1", "localhost"])
    func `a private address is refused when the connection is opened`(
        way: Way, host: String
    ) throws {
        let connections = Counted()
        let server = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil { peer.write(ok) }
        }
        let send = way.start()
        var request = CallerRequest(method: "GET", url: "http://\(host):\(server.port)/x?secret=1")
        request.refusesPrivateAddresses = true
        let refused = send(request)
        #expect(refused.code == .addressRefused)
        #expect(refused.detail?.contains("of http://\(host):\(server.port)/x is private") == true)
        #expect(refused.detail?.contains(/address (127\.0\.0\.1|::1) of/) == true)
        #expect(connections.value == 0)
        request.refusesPrivateAddresses = false
        #expect(send(request).status == 200)
    }

    @Test(
        arguments: Way.all,
        [
            "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]",
            "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[fe80::1]", "[fd00::1]", "169.254.169.254",
            "10.0.0.1", "255.255.255.255", "sub.localhost", "LOCALHOST",
        ])
    func `no spelling of a private address is accepted`(way: Way, host: String) throws {
        let server = try RawServer.answering(ok)
        let request = CallerRequest(
            method: "GET", url: "http://\(host):\(server.port)/", refusesPrivateAddresses: true)
        #expect(way.start()(request).code == .addressRefused)
    }

    @Test(arguments: Way.all)
    func `a port that nobody listens on is unreachable, not refused`(way: Way) throws {
        let port = FreePort.next()
        let send = way.start()
        var request = CallerRequest(method: "GET", url: "http://localhost:\(port)/")
        #expect(send(request).code == .unreachable)
        request.url = "http://\(noName):\(port)/"
        request.refusesPrivateAddresses = true
        #expect(send(request).code == .unreachable)
    }

    @Test(arguments: Way.all)
    func `a request that refuses private addresses uses no connection of one that allows them`(
        way: Way
    ) throws {
        let (connections, requests) = (Counted(), Counted())
        let server = try RawServer { peer in
            connections.add()
            while peer.readRequest() != nil {
                requests.add()
                peer.write(ok)
            }
        }
        let send = way.start()
        let allowing = CallerRequest(method: "GET", url: server.url)
        var refusing = allowing
        refusing.refusesPrivateAddresses = true
        #expect(send(allowing).status == 200)
        #expect(send(refusing).code == .addressRefused)
        #expect(send(allowing).status == 200)
        #expect(send(refusing).code == .addressRefused)
        #expect(connections.value == 1)
        #expect(requests.value == 2)
    }

    @Test(arguments: Way.all)
    func `a redirect to a private address is an answer`(way: Way) throws {
        let requests = Counted()
        let server = try RawServer { peer in
            while peer.readRequest() != nil {
                requests.add()
                peer.write(
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/\r\n"
                        + "Content-Length: 0\r\n\r\n")
            }
        }
        let answer = way.start()(CallerRequest(method: "POST", url: server.url, body: [1]))
        #expect(answer.status == 307)
        #expect(requests.value == 1)
    }
}
