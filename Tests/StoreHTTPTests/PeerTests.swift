import Testing

@testable import StoreHTTP

/// Whose address a request came from.
struct PeerTests {
    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    private static let six: [UInt8] = [0x20, 1, 0xD, 0xB8, 1, 2, 3, 4, 9, 9, 9, 9, 9, 9, 9, 9]

    @Test(
        arguments: [
            ([10, 0, 0, 7], [10, 0, 0, 7]), (mapped + [10, 0, 0, 7], [10, 0, 0, 7]),
            (six, [0x20, 1, 0xD, 0xB8, 1, 2, 3, 4]),
        ] as [([UInt8], [UInt8])])
    func `an address beyond this machine names a network`(address: [UInt8], network: [UInt8]) {
        #expect(Peer.network(address) == network)
    }

    @Test(
        arguments: [
            [127, 0, 0, 1], [127, 1, 2, 3], mapped + [127, 0, 0, 1],
            [UInt8](repeating: 0, count: 15) + [1], [], [1, 2, 3],
        ] as [[UInt8]])
    func `loopback names none, since a proxy's clients share it`(address: [UInt8]) {
        #expect(Peer.network(address) == nil)
    }

    @Test func `requests of one connection have one peer, others another`() throws {
        let peers = Box<[UInt64]>([])
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            peers.update { $0.append(request.peer.connection) }
            responder.send(HTTPResponse(status: request.peer.network == nil ? 200 : 500))
        }
        defer { listener.stop() }
        for _ in 0..<2 {
            let client = try RawClient(port: listener.port)
            for _ in 0..<2 {
                client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.readAnswer().status == 200)
            }
        }
        let numbers = peers.value
        #expect(numbers.count == 4)
        #expect(numbers[0] == numbers[1] && numbers[2] == numbers[3])
        #expect(numbers[0] != numbers[2])
    }
}
