import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a world that was restored from a backup never numbers as a later state of it may have.
struct BackupNumberTests {
    private static let passedOver: Int64 = 1_000_000
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func passOver() throws {
        try store.registry.defaultWorld.database.write {
            try $0.passOverNumbers(Self.passedOver)
        }
    }

    private func count(_ sql: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read { try $0.row(sql)?.integer(0) ?? 0 }
    }

    @Test func `a backup restored again passes over what the first restore led to`() {
        let madeAt = Timestamp(milliseconds: 1_800_000_000_000)
        func count(_ seconds: Int64) -> Int64 {
            BackupRestore.passedOver(
                since: madeAt, until: madeAt.adding(milliseconds: 1_000 * seconds))
        }
        #expect(count(3_600) - count(60) >= 3_540 * 10_000)
        #expect(count(-60) == count(0))
        let year: Int64 = 366 * 86_400
        for environment in StoreEnvironment.allCases {
            #expect(count(year) < Int64(environment.transactionNumbers.count) / 1_000)
        }
        #expect(BackupRestore.passedOver(since: Timestamp(milliseconds: .min), until: madeAt) > 0)
    }

    @Test func `numbers kept for a seeded world's successor are passed over, too`() throws {
        let reached: Int64 = 2_000_000_000_000_000
        try store.registry.defaultWorld.database.write {
            try $0.keepForSuccessor(
                FreeNumbers(transactions: [.sandbox: reached], appTransaction: reached))
        }
        try passOver()
        let free = try store.registry.defaultWorld.database.read { try $0.freeNumbers() }
        #expect(free.transactions[.sandbox] == reached + Self.passedOver)
        #expect(free.appTransaction == reached + Self.passedOver)
    }

    @Test func `the first account and event of a restored world have late numbers`() async throws {
        #expect(try count("SELECT count(*) FROM sequence WHERE name IN ('account', 'event')") == 0)
        try passOver()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        #expect(try count("SELECT min(id) FROM account") > Self.passedOver)
        #expect(try count("SELECT min(number) FROM event") > Self.passedOver)
    }

    @Test func `a receipt that had not changed yet gets a late revision, and is not large for it`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        try passOver()
        try passOver()
        let before = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(before.headers[receiptRevisionHeader] == "\(2 * Self.passedOver)")
        _ = try await store.buy(Samples.fuel, token: token)
        let after = await store.send("GET", "/sandbox/device/v1/receipt", token: token)
        #expect(after.headers[receiptRevisionHeader] == "\(2 * Self.passedOver + 1)")
        let changes = try store.registry.defaultWorld.database.read {
            try $0.receiptChanges(of: AccountID(1), in: AppID(1))
        }
        #expect(changes == 1)
    }

    @Test func `a device that knows lost key values gets everything`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        try passOver()
        var known: Int64 = 2
        for number in 1...3 {
            let body = ChangeKeyValuesBody(
                requestId: UUID().uuidString, after: 0, isInitial: false,
                changes: [KeyValueBody(key: "key \(number)", value: .integer(1))])
            let path = "/sandbox/device/v1/key-values"
            _ = await store.send("PUT", path, token: token, body: try WireJSON.encode(body))
            let answer = await store.send("GET", "\(path)?after=\(known)", token: token)
            let news = try WireJSON.decode(KeyValuesBody.self, from: answer.body)
            #expect(news.revision == Self.passedOver + Int64(number))
            #expect(news.isWhole == (number == 1), "\(number)")
            #expect(news.entries.count == 1)
            known = news.revision
        }
    }
}
