import Dispatch
import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

extension TestStore {
    func askToRestore(
        _ id: String, username: String? = nil, after: String? = nil, token: String?
    ) async throws -> HTTPResponse {
        await send(
            "POST", "/sandbox/device/v1/restores", token: token,
            body: try WireJSON.encode(
                RestoreRequestBody(restoreId: id, applicationUsername: username, after: after)))
    }

    func restorePage(
        _ id: String, username: String? = nil, after: String? = nil, token: String
    ) async throws -> RestoreAnswerBody {
        let answer = try await askToRestore(id, username: username, after: after, token: token)
        try #require(
            answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
    }

    /// All pages of a restore.
    func restore(
        _ id: String = UUID().uuidString, username: String? = nil, token: String
    ) async throws -> [TransactionBody] {
        var found: [TransactionBody] = []
        var position: String?
        repeat {
            let page = try await restorePage(id, username: username, after: position, token: token)
            found += page.transactions
            position = page.next
        } while position != nil
        return found
    }

    @discardableResult
    func finish(_ id: String, token: String) async -> HTTPResponse {
        await send("POST", "/sandbox/device/v1/transactions/\(id)/finish", token: token)
    }

    func buyAndFinish(
        _ product: String, username: String? = nil, token: String
    ) async throws -> TransactionBody {
        let answer = try await attempt(product, username: username, token: token)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        let transaction = try #require(body.transaction)
        #expect(await finish(transaction.transactionId, token: token).status == 200)
        return transaction
    }

    func unfinished(token: String) async throws -> UnfinishedBody {
        let answer = await send("GET", "/sandbox/device/v1/transactions", token: token)
        try #require(answer.status == 200)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body)
    }

    func number(_ sql: String) throws -> Int64 {
        try registry.defaultWorld.database.read { try $0.row(sql)?.integer(0) ?? -1 }
    }

    /// Finished periods of a subscription, as many as asked for; the first is their original.
    func addPeriods(_ count: Int, like bought: TransactionBody) throws -> [TransactionID] {
        let number = try #require(Int64(bought.transactionId))
        return try registry.defaultWorld.database.write { scope in
            let sample = try #require(
                try scope.reading.transaction(TransactionID(number)))
            var ids: [TransactionID] = []
            for index in 0..<count {
                let id = try scope.nextTransactionID(.sandbox)
                ids.append(id)
                try scope.addTransaction(
                    StoreTransaction(
                        id: id, original: ids[0], environment: .sandbox, app: sample.app,
                        account: sample.account, device: sample.device,
                        attempt: AttemptID("period \(index)"), product: ProductID(Samples.club),
                        kind: .autoRenewable, quantity: 1, purchasedAt: sample.purchasedAt,
                        originallyPurchasedAt: sample.purchasedAt, charged: sample.charged,
                        storefront: "USA", applicationUsername: nil,
                        finishedAt: sample.purchasedAt))
            }
            return ids
        }
    }
}

struct RestoreServiceTests {
    private let store: TestStore
    private let otherDevice = "0D6A4D7C-61A4-4B0E-9A3C-7B2B7A3C9E22"
    private let restore = "11111111-2222-4333-8444-555555555555"

    init() throws {
        store = try TestStore()
    }

    @Test func `a finished purchase is restored as a new transaction with its original`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, username: "driver", token: token)
        store.move(byMilliseconds: 60_000)
        let other = try await store.signIn(guid: otherDevice)
        let restored = try await store.restore(restore, token: other)
        #expect(restored.count == 1)
        let given = try #require(restored.first)
        #expect(given.transactionId != turbo.transactionId)
        #expect(given.originalTransactionId == turbo.transactionId)
        #expect(given.purchaseDate == turbo.purchaseDate.adding(milliseconds: 60_000))
        #expect(given.originalPurchaseDate == turbo.purchaseDate)
        #expect(given.attemptId == restore)
        #expect(given.deviceGuid == otherDevice)
        #expect(
            given.original
                == OriginalBody(
                    transactionId: turbo.transactionId, productId: Samples.turbo, quantity: 1,
                    purchaseDate: turbo.purchaseDate, applicationUsername: "driver"))
        #expect(try store.number("SELECT sum(charged_milliunits) FROM store_transaction") == 2_990)
    }

    /// Keeps the writer busy until the semaphore is signalled.
    private func hold(_ database: Database) -> DispatchSemaphore {
        let (start, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        database.write(
            { _ in
                start.signal()
                gate.wait()
            }, then: { _ in })
        start.wait()
        return gate
    }

    @Test func `a refused restore writes nothing and does not rerun other commands`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let database = store.registry.defaultWorld.database
        let runs = Lines()
        // What comes while one command holds the writer shares the next commit.
        let gate = hold(database)
        database.write({ _ in runs.add("ran") }, then: { _ in })
        let body = try WireJSON.encode(
            RestoreRequestBody(restoreId: restore, applicationUsername: nil, after: "7"))
        let answer = await withCheckedContinuation { continuation in
            store.start("POST", "/sandbox/device/v1/restores", token: token, body: body) {
                continuation.resume(returning: $0)
            }
            gate.signal()
        }
        #expect(answer.status == 422)
        #expect(runs.all == ["ran"])
        #expect(try store.number("SELECT count(*) FROM restore") == 0)
    }

    @Test func `consumables, unfinished purchases and copies are not restored`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.fuel, token: token)
        _ = try await store.buyAndFinish(Samples.season, token: token)
        let turbo = try await store.buy(Samples.turbo, token: token)
        #expect(try await store.restore(token: token).isEmpty)
        await store.finish(turbo.transactionId, token: token)
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        let first = try await store.restore(token: token)
        #expect(first.map(\.originalTransactionId) == [turbo.transactionId])
        await store.finish(first[0].transactionId, token: token)
        let second = try await store.restore(token: token)
        #expect(second.map(\.originalTransactionId) == [turbo.transactionId])
        #expect(second[0].transactionId != first[0].transactionId)
    }

    @Test func `revoked purchases are not restored`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token)
        let answer = try await store.control(
            "POST", "/control/v1/transactions/\(turbo.transactionId)/revoke",
            body: RevokeBody(reason: .issue))
        #expect(answer.status == 200)
        #expect(try await store.restore(token: token).isEmpty)
    }

    @Test func `restored transactions are unfinished only on the device that asked`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token)
        let other = try await store.signIn(guid: otherDevice)
        let before = try await store.unfinished(token: token)
        let revision = before.receiptRevision
        let page = try await store.restorePage(restore, token: other)
        #expect(page.receiptRevision == revision)
        #expect(try await store.unfinished(token: token).transactions.isEmpty)
        #expect(try await store.unfinished(token: other).transactions == page.transactions)
        for device in [token, other] {
            let receipt = try await store.receipt(token: device)
            let purchases = try store.parts.verifier.verify(receipt).payload.purchases
            #expect(purchases.map(\.transactionID) == [turbo.transactionId])
        }
        let given = page.transactions[0].transactionId
        let finished = await store.finish(given, token: other)
        #expect(finished.status == 200)
        #expect(await store.finish(given, token: other).body == finished.body)
        #expect(try await store.unfinished(token: other).transactions.isEmpty)
        func news(_ token: String) async throws -> [UpdateBody] {
            let answer = await store.send(
                "GET", "/sandbox/device/v1/updates?after=\(before.cursor)", token: token)
            return try WireJSON.decode(UpdatesBody.self, from: answer.body).events
        }
        #expect(try await news(token).isEmpty)
        var told = page.transactions[0]
        told.isFinished = true
        #expect(try await news(other).map(\.transaction) == [told])
    }

    @Test func `a restored transaction's own receipt names the original and verifies`() async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token)
        store.move(byMilliseconds: 5_000)
        let given = try #require(try await store.restore(token: token).first)
        let receipt = try await store.transactionReceipt(given.transactionId, token: token)
        let answer = try await store.verify(receipt)
        #expect(answer["status"]?.integer == 0)
        let said = try #require(answer["receipt"])
        #expect(said["transaction_id"]?.string == given.transactionId)
        #expect(said["original_transaction_id"]?.string == turbo.transactionId)
        func milliseconds(_ time: Timestamp) -> String {
            "\(time.milliseconds)"
        }
        #expect(said["purchase_date_ms"]?.string == milliseconds(given.purchaseDate))
        #expect(said["original_purchase_date_ms"]?.string == milliseconds(turbo.purchaseDate))
        #expect(said["expires_date"] == nil)
    }

    @Test func `restore pages hold every period once, in order, with one original`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token)
        let countMax = RestoreRequestBody.transactionsMax
        let periods = try store.addPeriods(2 * countMax + 100, like: turbo)
        let first = try await store.restorePage(restore, token: token)
        #expect(first.transactions.count == countMax)
        let again = try await store.askToRestore(restore, token: token)
        #expect(try WireJSON.encode(first) == again.body)
        let all = try await store.restore(restore, token: token)
        #expect(all.count == periods.count + 1)
        #expect(Set(all.map(\.transactionId)).count == all.count)
        #expect(all.dropFirst().allSatisfy { $0.original?.transactionId == "\(periods[0])" })
        #expect(Array(all.prefix(countMax)) == first.transactions)
        let purchases = try store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                "SELECT restored_id FROM store_transaction WHERE restore_id IS NOT NULL ORDER BY id"
            ).map { TransactionID($0.integer(0)) }
        }
        #expect(Array(purchases.dropFirst()) == periods)
        #expect(try await store.unfinished(token: token).transactions == all)
    }

    @Test func `a restore page stays the same whatever was finished since`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buy(Samples.turbo, token: token)
        let empty = try await store.restorePage(restore, token: token)
        #expect(empty.transactions.isEmpty && empty.next == nil)
        await store.finish(turbo.transactionId, token: token)
        #expect(try await store.restorePage(restore, token: token) == empty)
        #expect(try await store.restore(token: token).count == 1)
    }

    @Test func `two concurrent restores get the same answer`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        async let one = store.restorePage(restore, token: token)
        async let two = store.restorePage(restore, token: token)
        let (first, second) = (try await one, try await two)
        #expect(first == second)
        #expect(
            try store.number(
                "SELECT count(*) FROM store_transaction WHERE restore_id IS NOT NULL") == 1)
    }

    @Test func `a restore under a user name returns what was bought under it`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, username: "ada", token: token)
        #expect(try await store.restore(username: "bob", token: token).isEmpty)
        #expect(
            try await store.restore(username: "ada", token: token).map(\.applicationUsername)
                == ["ada"])
        #expect(try await store.restore(username: "", token: token).count == 1)
    }

    @Test func `a restore returns nothing of another account`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        _ = try await store.restore(token: token)
        let other = try await store.signIn(account: "other")
        #expect(try await store.restore(token: other).isEmpty)
        #expect(try await store.unfinished(token: other).transactions.isEmpty)
    }

    @Test func `a restore id belongs to one account and one user name`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.restorePage(restore, token: token)
        let renamed = try await store.askToRestore(restore, username: "ada", token: token)
        #expect(renamed.status == 409)
        #expect(errorCode(renamed) == "restoreIdReused")
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        let other = try await store.signIn(account: "other")
        let stolen = try await store.askToRestore(restore, token: other)
        #expect(stolen.status == 409)
        #expect(errorCode(stolen) == "restoreIdReused")
        // Another device may have made the same.
        let away = try await store.signIn(guid: otherDevice, account: "other")
        #expect(try await store.askToRestore(restore, token: away).status == 200)
    }

    @Test(arguments: ["0", "-1", "7", "x", "01", "9223372036854775808"])
    func `a restore position that no page ended with is refused`(position: String) async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        let answer = try await store.askToRestore(restore, after: position, token: token)
        #expect(answer.status == 422)
        #expect(errorCode(answer) == "badField")
        #expect(try store.number("SELECT count(*) FROM restore") == 0)
    }

    @Test func `a restore without signing in or with a malformed id is refused`() async throws {
        try await store.stock()
        let nobody = try await store.register()
        #expect(errorCode(try await store.askToRestore(restore, token: nobody)) == "notSignedIn")
        #expect(errorCode(try await store.askToRestore(restore, token: nil)) == "tokenUnknown")
        let token = try await store.signIn()
        for id in ["", "restore", restore + "0"] {
            #expect(try await store.askToRestore(id, token: token).status == 422)
        }
        let long = String(repeating: "u", count: Limits.identifierBytesMax + 1)
        #expect(
            try await store.askToRestore(restore, username: long, token: token).status == 422)
    }

    @Test func `a device that never finishes restored transactions is refused more at a limit`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token)
        _ = try store.addPeriods(RestoreRequestBody.transactionsMax, like: turbo)
        for _ in 0..<(Limits.restoredUnfinishedMax / RestoreRequestBody.transactionsMax) {
            _ = try await store.restorePage(UUID().uuidString, token: token)
        }
        let refused = try await store.askToRestore(restore, token: token)
        #expect(refused.status == 409)
        #expect(errorCode(refused) == "tooManyRestored")
        let other = try await store.signIn(guid: otherDevice)
        #expect(try await store.askToRestore(restore, token: other).status == 200)
    }

    @Test func `the recorded time covers the restored transactions`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        store.move(byMilliseconds: 86_400_000)
        let given = try await store.restore(token: token)
        let recorded = try store.registry.defaultWorld.database.read { try $0.lastRecorded() }
        #expect(recorded == given.first?.purchaseDate)
    }

    @Test func `a device that only restored is not dropped by a registration`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.restore(token: token)
        _ = await store.send("POST", "/sandbox/device/v1/sign-out", token: token)
        store.move(byMilliseconds: Limits.tokenMilliseconds + Limits.unusedDeviceMilliseconds + 1)
        for _ in 0..<4 {
            _ = try await store.register(guid: UUID().uuidString)
        }
        #expect(
            try store.number("SELECT count(*) FROM device WHERE guid = '\(TestStore.guid)'") == 1)
    }
}
