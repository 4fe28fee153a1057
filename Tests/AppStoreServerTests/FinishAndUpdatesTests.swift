import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

struct FinishAndUpdatesTests {
    private let store: TestStore
    private let otherDevice = "0D6A4D7C-61A4-4B0E-9A3C-7B2B7A3C9E22"

    init() throws {
        store = try TestStore()
    }

    private func finish(_ id: String, token: String) async -> HTTPResponse {
        await store.send("POST", "/sandbox/device/v1/transactions/\(id)/finish", token: token)
    }

    private func unfinished(token: String) async throws -> UnfinishedBody {
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        try #require(answer.status == 200)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body)
    }

    private func updates(after: Int64, wait: Int, token: String) async throws -> UpdatesBody {
        let answer = await store.send(
            "GET", "/sandbox/device/v1/updates?after=\(after)&wait=\(wait)", token: token)
        try #require(answer.status == 200)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    @Test func `a transaction stays unfinished on every device until one finishes it`() async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        let bought = try await store.buy(Samples.fuel, token: token)
        #expect(try await unfinished(token: token).transactions == [bought])
        #expect(try await unfinished(token: other).transactions == [bought])
        let first = await finish(bought.transactionId, token: token)
        let again = await finish(bought.transactionId, token: other)
        #expect(first.status == 200)
        #expect(again.body == first.body)
        #expect(try await unfinished(token: token).transactions.isEmpty)
    }

    @Test func `a repeated attempt says whether its transaction was finished meanwhile`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        let id = UUID().uuidString
        func answered() async throws -> TransactionBody {
            let answer = try await store.attempt(Samples.fuel, id: id, token: token)
            return try #require(
                try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction)
        }
        let bought = try await answered()
        #expect(bought.isFinished == nil)
        _ = await finish(bought.transactionId, token: other)
        let later = try await answered()
        #expect(later.transactionId == bought.transactionId)
        #expect(later.isFinished == true)
    }

    @Test(arguments: ["2000000000000099", "0", "-1", "x", "02000000000000000", "1e3"])
    func `an unknown transaction cannot be finished`(id: String) async throws {
        try await store.stock()
        let answer = await finish(id, token: try await store.signIn())
        #expect(answer.status == 404)
        #expect(errorCode(answer) == "transactionUnknown")
    }

    @Test func `an account cannot finish another account's transaction`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let bought = try await store.buy(Samples.fuel, token: try await store.signIn())
        let other = try await store.signIn(guid: otherDevice, account: "other")
        #expect(await finish(bought.transactionId, token: other).status == 404)
    }

    @Test func `updates after a cursor come in order and report both ends of the history`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let start = try await unfinished(token: token).cursor
        let first = try await store.buy(Samples.fuel, token: token)
        let second = try await store.buy(Samples.turbo, token: token)
        _ = await finish(first.transactionId, token: token)
        let news = try await updates(after: start, wait: 0, token: token)
        #expect(news.events.map(\.kind) == [.purchased, .purchased, .finished])
        #expect(
            news.events.map(\.transaction?.transactionId)
                == [first, second, first].map(\.transactionId))
        #expect(try await updates(after: news.cursor, wait: 0, token: token).events.isEmpty)
        let late = try await updates(after: news.events[0].number, wait: 0, token: token)
        #expect(late.events.count == 2)
    }

    @Test func `a waiting poll is woken by a purchase on another device`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let other = try await store.signIn(guid: otherDevice)
        let cursor = try await unfinished(token: other).cursor
        async let news = updates(after: cursor, wait: 25, token: other)
        let bought = try await store.buy(Samples.fuel, token: token)
        #expect(try await news.events.map(\.transaction) == [bought])
    }

    @Test func `a poll without news ends empty after its wait`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let news = try await updates(after: 0, wait: 1, token: token)
        #expect(news.events.isEmpty)
    }

    @Test func `a cursor from the future continues from the present`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let news = try await updates(after: 999, wait: 0, token: token)
        #expect(news.events.isEmpty)
        #expect(news.cursor == 0)
    }

    @Test func `polls beyond the limit are asked to come back later`() async throws {
        let gate = Gate(limit: 1)
        let hub = UpdateHub(gate: gate)
        let ended = Mutex(0)
        #expect(
            hub.wait(for: AccountID(1), device: DeviceID(1), seconds: 25) {
                ended.withLock { $0 += 1 }
            })
        #expect(!hub.wait(for: AccountID(2), device: DeviceID(2), seconds: 25) {})
        hub.wake(AccountID(1))
        while ended.withLock({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(
            hub.wait(for: AccountID(2), device: DeviceID(2), seconds: 25) {
                ended.withLock { $0 += 1 }
            })
        hub.close()
        #expect(ended.withLock { $0 } == 2)
        #expect(!hub.wait(for: AccountID(3), device: DeviceID(3), seconds: 25) {})
    }

    @Test func `an account's polls beyond its share are refused, and others still wait`() throws {
        let hub = UpdateHub(gate: Gate(limit: Limits.pollsMax))
        func wait(_ account: Int64, _ device: Int) -> Bool {
            hub.wait(for: AccountID(account), device: DeviceID(Int64(device)), seconds: 3_600) {}
        }
        for device in 0..<Limits.pollsPerAccountMax { #expect(wait(1, device)) }
        #expect(!wait(1, Limits.pollsPerAccountMax))
        #expect(wait(2, 0))
        hub.close()
    }

    @Test func `news that is there is answered although no poll may wait`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        let passes = (0..<Limits.pollsMax).compactMap { _ in store.parts.polls.acquire() }
        #expect(passes.count == Limits.pollsMax)
        let news = try await updates(after: 0, wait: 25, token: token)
        #expect(news.events.count == 1)
        let none = await store.send(
            "GET", "/sandbox/device/v1/updates?after=\(news.cursor)&wait=25", token: token)
        #expect(none.status == 503)
        #expect(errorCode(none) == "busy")
        let values = "/sandbox/device/v1/key-values"
        let put = await store.send(
            "PUT", values, token: token,
            body: Array(
                #"{"requestId":"\#(UUID().uuidString)","after":0,"isInitial":false,"#.utf8)
                + Array(#""changes":[{"key":"a","value":{"integer":1}}]}"#.utf8))
        try #require(put.status == 200, "\(String(decoding: put.body, as: UTF8.self))")
        let changed = await store.send("GET", values + "?after=0&wait=25", token: token)
        #expect(changed.status == 200)
        let same = await store.send("GET", values + "?after=1&wait=25", token: token)
        #expect(errorCode(same) == "busy")
        withExtendedLifetime(passes) {}
    }

    @Test(arguments: ["updates", "key-values"])
    func `polls over TLS leave places there, and polls on the other port go on`(path: String)
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let passes = (0..<Limits.pollsOverTLSMax).compactMap { _ in
            store.parts.polls.acquire(inAnnex: true)
        }
        #expect(passes.count == Limits.pollsOverTLSMax)
        for (isEncrypted, status) in [(true, 503), (false, 200)] {
            let answer = await store.send(
                "GET", "/sandbox/device/v1/\(path)?after=0&wait=1", token: token,
                peer: Peer(connection: 1, isEncrypted: isEncrypted))
            #expect(answer.status == status)
        }
        withExtendedLifetime(passes) {}
    }

    @Test func `a device's polls beyond its share end its oldest poll`() async throws {
        let hub = UpdateHub(gate: Gate(limit: 100))
        let ended = Mutex<[Int]>([])
        func wait(_ number: Int, device: Int64 = 1) -> Bool {
            hub.wait(for: AccountID(1), device: DeviceID(device), seconds: 25) {
                ended.withLock { $0.append(number) }
            }
        }
        for number in 0..<Limits.pollsPerDeviceMax { #expect(wait(number)) }
        #expect(wait(100, device: 2))
        #expect(ended.withLock { $0.isEmpty })
        #expect(wait(50))
        #expect(wait(51))
        while ended.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(ended.withLock { $0 } == [0, 1])
        hub.close()
        #expect(ended.withLock { $0.count } == Limits.pollsPerDeviceMax + 3)
    }

    @Test func `a device hears of its own purchase after the others, in one answer`()
        async throws
    {
        let hub = UpdateHub(gate: Gate(limit: 100))
        let ended = Mutex<[Int64]>([])
        for device in Int64(1)...2 {
            #expect(
                hub.wait(for: AccountID(1), device: DeviceID(device), seconds: 25) {
                    ended.withLock { $0.append(device) }
                })
        }
        for _ in 0..<5 { hub.wake(AccountID(1), byDevice: DeviceID(1)) }
        while ended.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(ended.withLock { $0 } == [2, 1])
        hub.close()
        #expect(ended.withLock { $0.count } == 2)
    }

    @Test func `the history is dated by the world's clock and numbered without gaps`() async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        for _ in 0..<3 { _ = try await store.buy(Samples.fuel, token: token) }
        let numbers = try await updates(after: 0, wait: 0, token: token).events.map(\.number)
        #expect(numbers == [1, 2, 3])
    }
}
