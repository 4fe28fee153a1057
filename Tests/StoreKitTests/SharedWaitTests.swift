import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Devices that wait in few requests, at a store that answers when the test says so.
@Suite(.ownThreads) struct SharedWaitTests {
    private let store: WaitingStore
    private let loop = CallerLoop(callsMax: 100, connectionsPerHostMax: 100)
    private let shared: SharedWait
    private let outcomes = Outcomes()

    init() throws {
        store = try WaitingStore()
        shared = SharedWait(loop: loop)
    }

    private func device(
        _ token: String, cancellation: CallCancellation = CallCancellation()
    ) -> SharedWait.Waiting {
        let outcomes = outcomes
        return SharedWait.Waiting(
            device: NewsWaitBody.Device(
                id: "of \(token)", world: "one", environment: .sandbox, token: token, after: 1,
                signed: false),
            cancellation: cancellation
        ) { outcomes.add(token, $0) }
    }

    private func join(_ tokens: String...) {
        shared.join(tokens.map { device($0) }, at: store.url)
    }

    @Test func `devices that begin together share a request, and news of one leaves the others`()
        async throws
    {
        join("a", "b", "c")
        var requests = store.requests.makeAsyncIterator()
        let first = try #require(await requests.next())
        #expect(first.tokens == ["a", "b", "c"])
        first.answer([1])
        #expect(await outcomes.next() == "b ready")
        let second = try #require(await requests.next())
        #expect(second.tokens == ["a", "c"])
        #expect(second.ids == ["of a", "of c"])
        second.answer([0])
        #expect(await outcomes.next() == "a ready")
    }

    @Test func `at the end of its time a request has all of its devices ask`() async throws {
        join("a", "b")
        var requests = store.requests.makeAsyncIterator()
        try #require(await requests.next()).answer([])
        #expect(await outcomes.next() == "a ready")
        #expect(await outcomes.next() == "b ready")
    }

    @Test func `a request takes over the devices of a smaller one, whose answer counts no more`()
        async throws
    {
        var requests = store.requests.makeAsyncIterator()
        join("a")
        let first = try #require(await requests.next())
        join("b")
        let second = try #require(await requests.next())
        #expect(second.tokens == ["b", "a"])
        first.answer([0])
        join("c")
        // The one with two devices is the larger.
        let third = try #require(await requests.next())
        #expect(third.tokens == ["c"])
        second.answer([0, 1])
        #expect(await outcomes.next() == "b ready")
        #expect(await outcomes.next() == "a ready")
        third.answer([0])
        #expect(await outcomes.next() == "c ready")
    }

    @Test func `no request has more devices than its share`() async throws {
        let count = SharedWait.devicesMax * 2 + 1
        shared.join((0..<count).map { device("\($0)") }, at: store.url)
        var requests = store.requests.makeAsyncIterator()
        var counts: [Int] = []
        for _ in 0..<3 { counts.append(try #require(await requests.next()).tokens.count) }
        #expect(counts.sorted() == [1, SharedWait.devicesMax, SharedWait.devicesMax])
    }

    @Test func `a device that no longer waits is not sent again`() async throws {
        let cancellation = CallCancellation()
        shared.join(
            [device("a"), device("b", cancellation: cancellation), device("c")], at: store.url)
        var requests = store.requests.makeAsyncIterator()
        let first = try #require(await requests.next())
        cancellation.cancel()
        first.answer([2])
        let second = try #require(await requests.next())
        #expect(second.tokens == ["a"])
    }

    @Test(arguments: [404, 405, 422, 200])
    func `devices wait alone at a store of an earlier version`(status: Int) async throws {
        join("a", "b")
        var requests = store.requests.makeAsyncIterator()
        try #require(await requests.next()).answer(status, Array("{}".utf8))
        #expect(await outcomes.next() == "a alone")
        #expect(await outcomes.next() == "b alone")
    }

    @Test func `an answer that names a device which does not wait concerns the others alone`()
        async throws
    {
        join("a", "b")
        var requests = store.requests.makeAsyncIterator()
        try #require(await requests.next()).answer([-1, 1, 2])
        #expect(await outcomes.next() == "b ready")
        #expect(try #require(await requests.next()).tokens == ["a"])
    }

    @Test func `each device hears that the store refuses to let it wait now`() async throws {
        join("a", "b")
        var requests = store.requests.makeAsyncIterator()
        try #require(await requests.next()).answer(503, [])
        #expect(await outcomes.next() == "a refused 503")
        #expect(await outcomes.next() == "b refused 503")
    }

    @Test func `each device hears that the store is lost`() async throws {
        join("a", "b")
        var requests = store.requests.makeAsyncIterator()
        try #require(await requests.next()).hangUp()
        #expect(await outcomes.next() == "a failed")
        #expect(await outcomes.next() == "b failed")
    }

    @Test(arguments: [
        ("http://127.0.0.1:80/t/one/sandbox", "http://127.0.0.1:80", "one"),
        ("https://shop.example/bodega/t/two/production", "https://shop.example/bodega", "two"),
        ("http://127.0.0.1/sandbox", nil, nil),
        ("http://127.0.0.1/t/sandbox", nil, nil),
        ("http://t/one/sandbox", nil, nil),
        ("http://127.0.0.1/t/one", nil, nil),
    ])
    func `the address of a test session names its store and its world`(
        url: String, store: String?, world: String?
    ) throws {
        let read = StoreConfiguration.read([
            "STOREKIT_URL": url, "STOREKIT_BUNDLE_ID": "com.example.app",
            "STOREKIT_APP_VERSION": "1", "STOREKIT_HOME": "/nowhere",
        ])
        let session = try #require(try read.get()).session
        #expect(session?.store == store)
        #expect(session?.world == world)
    }
}

/// What the devices heard, in order.
private final class Outcomes: Sendable {
    private let heard: AsyncStream<String>
    private let hear: AsyncStream<String>.Continuation

    init() {
        (heard, hear) = AsyncStream.makeStream()
    }

    func add(_ token: String, _ outcome: SharedWait.Outcome) {
        let word =
            switch outcome {
            case .ready: "ready"
            case .alone: "alone"
            case .failed: "failed"
            case .refused(let response): "refused \(response.status)"
            }
        hear.yield("\(token) \(word)")
    }

    func next() async -> String? {
        for await outcome in heard { return outcome }
        return nil
    }
}

/// A store in which requests wait for the test.
private final class WaitingStore: Sendable {
    struct Request: Sendable {
        let tokens: [String]
        let ids: [String]
        fileprivate let peer: RawPeer
        fileprivate let isAnswered: DispatchSemaphore

        func answer(_ status: Int, _ body: [UInt8]) {
            _ = peer.send(status, body)
            isAnswered.signal()
        }

        func answer(_ ready: [Int]) {
            answer(200, Array(#"{"ready":\#(ready)}"#.utf8))
        }

        func hangUp() {
            shutdown(peer.descriptor, Int32(SHUT_RDWR))
            isAnswered.signal()
        }
    }

    /// The threads that wait for an answer.
    private final class Waits: Sendable {
        let all = Mutex<[DispatchSemaphore]>([])
    }

    let requests: AsyncStream<Request>
    private let server: RawServer
    private let waits = Waits()

    var url: String { "http://127.0.0.1:\(server.port)" }

    init() throws {
        let (requests, came) = AsyncStream.makeStream(of: Request.self)
        self.requests = requests
        let waits = waits
        server = try RawServer { peer in
            while let request = peer.readRequest(), request.path == "/device/v1/waits",
                let body = try? WireJSON.decode(NewsWaitBody.self, from: request.body)
            {
                let isAnswered = DispatchSemaphore(value: 0)
                waits.all.withLock { $0.append(isAnswered) }
                came.yield(
                    Request(
                        tokens: body.devices.map(\.token), ids: body.devices.map(\.id), peer: peer,
                        isAnswered: isAnswered))
                isAnswered.wait()
            }
        }
    }

    deinit {
        waits.all.withLock { for wait in $0 { wait.signal() } }
    }
}
