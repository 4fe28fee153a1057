import Dispatch
import Foundation
import StoreDatabase
import StoreRules
import StoreSigning
import StoreVerification
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// What `verifyReceipt` answers when the store itself is in trouble. Nothing is simulated: files are
/// damaged, cut and put back beside a store that has them open.
struct VerifyReceiptTroubleTests {
    private typealias Fixture = SubscriptionFixture

    private func file(of store: TestStore, _ ending: String = "") -> String {
        store.directory + "/default.sqlite" + ending
    }

    /// Both styles; a subscription's answer needs the most of the database.
    private func receipts(of store: Fixture) async throws -> [[UInt8]] {
        let bought = try await store.buy()
        return [
            try await store.store.receipt(token: store.token),
            try await store.transactionReceipt(of: bought.transactionId),
        ]
    }

    private func expect(
        _ status: Int, for receipts: [[UInt8]], at store: Fixture
    ) async throws {
        for receipt in receipts {
            let answer = try await store.verify(receipt)
            #expect(answer["status"]?.integer == Int64(status))
            // Only 21100 to 21199 say beside it whether to try again.
            guard status != 0, case .object(let members) = answer else { continue }
            #expect(members.map(\.key) == ["status"])
        }
    }

    /// Writes over a file from a byte on, as a dying disk might.
    private func spoil(_ path: String, from start: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let end = Int(try handle.seekToEnd())
        guard end > start else { return }
        try handle.seek(toOffset: UInt64(start))
        try handle.write(contentsOf: Data(repeating: 0x5A, count: end - start))
        try handle.close()
    }

    @Test func `a database damaged while open answers 21009`() async throws {
        let store = try await Fixture()
        let receipts = try await receipts(of: store)
        try await expect(0, for: receipts, at: store)
        // What a connection has in memory counts no more once somebody wrote.
        try store.store.registry.defaultWorld.database.write {
            _ = try $0.execute("UPDATE account SET name = name")
        }
        for ending in ["", "-wal"] { try spoil(file(of: store.store, ending), from: 100) }
        try await expect(21009, for: receipts, at: store)
        let lines = store.store.lines.all.filter { $0.contains("receiptRefused") }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("notADatabase") }, "\(lines)")
    }

    @Test(arguments: [
        "UPDATE subscription SET currency = '?'", "UPDATE subscription SET period = 'P5D'",
        "UPDATE store_transaction SET currency = '?'",
    ])
    func `a nonsensical database row answers 21009`(damage: String) async throws {
        let store = try await Fixture()
        let receipts = try await receipts(of: store)
        try store.store.registry.defaultWorld.database.write { _ = try $0.execute(damage) }
        try await expect(21009, for: receipts, at: store)
    }

    @Test func `an unreadable disk answers 21005, and 0 once it is readable`() async throws {
        let store = try await Fixture()
        let database = store.store.registry.defaultWorld.database
        // Who reads in an older moment keeps what comes after it in the log.
        let (reads, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? database.read { scope in
                _ = try scope.rows("SELECT count(*) FROM event")
                reads.signal()
                ends.wait()
            }
        }
        await wait(for: reads)
        defer { ends.signal() }
        let receipts = try await receipts(of: store)
        try await expect(0, for: receipts, at: store)
        try database.write { _ = try $0.execute("UPDATE account SET name = name") }
        let log = try #require(FileManager.default.contents(atPath: file(of: store.store, "-wal")))
        #expect(truncate(file(of: store.store, "-wal"), 0) == 0)
        try await expect(21005, for: receipts, at: store)
        let handle = try FileHandle(
            forWritingTo: URL(fileURLWithPath: file(of: store.store, "-wal")))
        try handle.write(contentsOf: log)
        try handle.close()
        try await expect(0, for: receipts, at: store)
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test func `verifyReceipt answers 21005 while the store stops`() async throws {
        let store = try await Fixture()
        let receipts = try await receipts(of: store)
        _ = store.store.registry.defaultWorld.database.close()
        try await expect(21005, for: receipts, at: store)
    }

    @Test func `a receipt whose account vanished with a replaced database answers 21010`()
        async throws
    {
        let folder = TemporaryFolder()
        var first: Fixture? = try await Fixture(store: try TestStore(folder: folder))
        let old = try #require(first)
        let path = file(of: old.store)
        let copy = folder.path + "/copy.sqlite"
        try old.store.registry.defaultWorld.database.copy(to: copy)
        let receipts = try await receipts(of: old)
        try await expect(0, for: receipts, at: old)
        let secret = old.secret
        old.store.registry.close()
        first = nil
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        unlink(path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        let store = try TestStore(folder: folder)
        for receipt in receipts {
            let body = """
                {"receipt-data":"\(Data(receipt).base64EncodedString())","password":"\(secret)"}
                """
            let answer = await store.send(
                "POST", "/sandbox/verifyReceipt", body: Array(body.utf8))
            #expect(answer.body == Array(#"{"status":21010}"#.utf8))
        }
    }

    private struct Unforeseen: Error {}

    struct Row: Sendable {
        let error: any Error
        let status: VerifyReceiptStatus
    }

    static let rows =
        [
            (DatabaseError.Code.unavailable, VerifyReceiptStatus.temporarilyUnavailable),
            (.diskFull, .temporarilyUnavailable), (.inputOutput, .temporarilyUnavailable),
            (.constraint, .internalError), (.notADatabase, .internalError),
            (.olderSchema, .internalError), (.newerSchema, .internalError),
            (.other, .internalError),
        ].map { code, status in
            Row(error: DatabaseError(code: code, detail: "as the test says"), status: status)
        } + [
            Row(error: StatusRefusal(status: .secretWrong), status: .secretWrong),
            Row(error: VerificationRefusal.malformed(""), status: .receiptMalformed),
            Row(error: VerificationRefusal.notAuthentic(""), status: .receiptNotAuthentic),
            Row(error: SigningFailure(.damaged, ""), status: .internalError),
            Row(error: Unforeseen(), status: .internalError),
        ]

    @Test(arguments: rows)
    func `only a fault in the receipt itself refuses it for good`(row: Row) {
        #expect(VerifyReceiptStatus(of: row.error) == row.status)
    }
}
