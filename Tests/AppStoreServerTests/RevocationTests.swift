import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases that are taken back.
struct RevocationTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func revoke(
        _ id: String, _ reason: Revocation.Reason = .issue
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: reason))
    }

    private func updates(token: String, after cursor: Int64 = 0) async throws -> UpdatesBody {
        let answer = await store.send(
            "GET", "/sandbox/device/v1/updates?after=\(cursor)", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    private func purchases(_ answer: JSONValue) -> [JSONValue] {
        answer["receipt"]?["in_app"]?.array ?? []
    }

    @Test func `the receipt, verifyReceipt and the history show a revocation`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        let kept = try await store.buy(Samples.fuel, token: token)
        let older = try await store.receipt(token: token)
        let before = try await updates(token: token)
        store.move(byMilliseconds: 60_000)
        #expect(try await revoke(sold.transactionId).status == 200)
        let news = try await updates(token: token, after: before.cursor)
        #expect(news.events.map(\.kind) == [.revoked])
        #expect(news.events.first?.transaction?.transactionId == sold.transactionId)
        #expect(news.events.first?.transaction?.isFinished == true, "nobody need deliver it")
        #expect(news.receiptRevision > before.receiptRevision)
        for receipt in [try await store.receipt(token: token), older] {
            let found = purchases(try await store.verify(receipt))
            #expect(found.count == 2)
            for purchase in found {
                let isSold = purchase["transaction_id"]?.string == sold.transactionId
                #expect(purchase["cancellation_reason"]?.string == (isSold ? "1" : nil))
                #expect((purchase["cancellation_date_ms"] != nil) == isSold)
            }
            #expect(found.contains { $0["transaction_id"]?.string == kept.transactionId })
        }
    }

    @Test func `a repeated revocation is one, and another reason is refused`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        let first = try await revoke(sold.transactionId)
        store.move(byMilliseconds: 60_000)
        #expect(try await revoke(sold.transactionId) == first)
        let other = try await revoke(sold.transactionId, .other)
        #expect(other.status == 409)
        #expect(errorCode(other) == "revokedBefore")
        let events = try await updates(token: token).events
        #expect(events.filter { $0.kind == .revoked }.count == 1)
    }

    @Test func `a non-consumable is revoked as a whole and charged again when bought again`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let first = try await store.buy(Samples.turbo, token: token)
        let again = try await store.buy(Samples.turbo, token: token)
        #expect(again.originalTransactionId == first.transactionId)
        let answer = try await revoke(again.transactionId)
        let body = try WireJSON.decode(RevokedBody.self, from: answer.body)
        #expect(body.transactionIds == [first.transactionId, again.transactionId])
        let later = try await store.buy(Samples.turbo, token: token)
        #expect(later.originalTransactionId == later.transactionId)
        let charged = try store.registry.defaultWorld.database.read { scope in
            try Int64(later.transactionId).flatMap { try scope.transaction(TransactionID($0)) }?
                .charged.milliunits
        }
        #expect(charged == 2_990)
    }

    @Test func `a revoked purchase is neither restored nor free to buy again`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        let finish = "/sandbox/device/v1/transactions/\(sold.transactionId)/finish"
        #expect(await store.send("POST", finish, token: token).status == 200)
        func restored() async throws -> [TransactionBody] {
            let answer = await store.send(
                "POST", "/sandbox/device/v1/restores", token: token,
                body: try WireJSON.encode(
                    RestoreRequestBody(
                        restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
            return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions
        }
        let copy = try #require(try await restored().first)
        // A copy stands for its original.
        let answer = try await revoke(copy.transactionId)
        let body = try WireJSON.decode(RevokedBody.self, from: answer.body)
        #expect(body.transactionId == sold.transactionId)
        #expect(try await revoke(sold.transactionId) == answer)
        #expect(try await restored().isEmpty)
        let again = try await store.buy(Samples.turbo, token: token)
        #expect(again.originalTransactionId == again.transactionId)
    }

    private func unfinished(token: String) async throws -> [String] {
        let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions
            .map(\.transactionId)
    }

    private func finish(_ id: String, token: String) async -> HTTPResponse {
        await store.send("POST", "/sandbox/device/v1/transactions/\(id)/finish", token: token)
    }

    @Test func `a purchase revoked before it was finished is delivered to no device`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        func post() async throws -> TransactionBody? {
            let answer = try await store.attempt(Samples.turbo, id: id, token: token)
            return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction
        }
        let sold = try #require(try await post())
        let kept = try await store.buy(Samples.fuel, token: token)
        #expect(try await revoke(sold.transactionId).status == 200)
        let tablet = try await store.signIn(guid: UUID().uuidString)
        for device in [token, tablet] {
            #expect(try await unfinished(token: device) == [kept.transactionId])
        }
        // Neither does an answer that was lost deliver it, nor the news of its purchase.
        #expect(sold.isFinished == nil)
        #expect(try await post()?.isFinished == true)
        let purchased = try await updates(token: tablet).events.filter { $0.kind == .purchased }
        #expect(purchased.map { $0.transaction?.isFinished } == [true, nil])
        // The device that has it can take it off its queue.
        let finished = await finish(sold.transactionId, token: token)
        #expect(finished.status == 200)
        #expect(try await unfinished(token: token) == [kept.transactionId])
    }

    @Test func `a consumable revoked before it was finished leaves the receipt`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.fuel, token: token)
        let kept = try await store.buy(Samples.fuel, token: token)
        let lasting = try await store.buy(Samples.turbo, token: token)
        let older = try await store.receipt(token: token)
        for id in [sold.transactionId, lasting.transactionId] {
            #expect(try await revoke(id).status == 200)
        }
        let shown = purchases(try await store.verify(try await store.receipt(token: token)))
        #expect(
            shown.map { $0["transaction_id"]?.string } == [
                kept.transactionId, lasting.transactionId,
            ])
        // A receipt that was issued before shows it, as cancelled.
        let before = purchases(try await store.verify(older))
        #expect(before.map { $0["cancellation_date_ms"] != nil } == [true, false, true])
    }

    @Test func `an unfinished copy of a revoked purchase is removed and holds up no restore`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        #expect(await finish(sold.transactionId, token: token).status == 200)
        let restoreId = UUID().uuidString
        func restored() async throws -> [TransactionBody] {
            let answer = await store.send(
                "POST", "/sandbox/device/v1/restores", token: token,
                body: try WireJSON.encode(
                    RestoreRequestBody(
                        restoreId: restoreId, applicationUsername: nil, after: nil)))
            return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions
        }
        let copy = try #require(try await restored().first)
        #expect(try await unfinished(token: token) == [copy.transactionId])
        #expect(try await revoke(sold.transactionId).status == 200)
        #expect(try await unfinished(token: token).isEmpty)
        #expect(try await restored().isEmpty, "nor does the same page bring it")
        let waiting = try store.registry.defaultWorld.database.read { scope in
            let number = TransactionID(Int64(copy.transactionId) ?? 0)
            let row = try #require(try scope.transaction(number))
            return try scope.unfinishedRestoredCount(of: row.account, in: row.app, on: row.device)
        }
        #expect(waiting == 0)
    }

    @Test(arguments: ["1", "0", "x", "2000000000000000000000", "-1"])
    func `a transaction that was never sold cannot be revoked`(id: String) async throws {
        try await store.stock()
        let answer = try await revoke(id)
        #expect(answer.status == 404)
        #expect(errorCode(answer) == "transactionUnknown")
    }

    @Test func `an unknown revocation reason is refused, and so is a revocation without the token`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        let path = "/control/v1/transactions/\(sold.transactionId)/revoke"
        for body in [#"{"reason":"mood"}"#, "{}", "no"] {
            let answer = await store.send(
                "POST", path, token: TestStore.controlToken, body: Array(body.utf8))
            #expect(answer.status == 400)
        }
        let stranger = await store.send(
            "POST", path, token: token, body: Array(#"{"reason":"issue"}"#.utf8))
        #expect(stranger.status == 401)
    }

    @Test func `a revoked transaction's own receipt shows the cancellation, too`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        let answer = await store.send(
            "POST", "/sandbox/device/v1/transaction-receipts", token: token,
            body: try WireJSON.encode(
                TransactionReceiptsRequestBody(transactionIds: [sold.transactionId])))
        let body = try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: answer.body)
        let text = try #require(body.receipts.first?.receipt)
        let receipt = Array(try #require(Data(base64Encoded: text)))
        let before = try await store.verify(receipt)
        #expect(before["receipt"]?["cancellation_date"] == nil)
        #expect(try await revoke(sold.transactionId).status == 200)
        let after = try await store.verify(receipt)
        #expect(after["status"]?.number == "0")
        #expect(after["receipt"]?["cancellation_reason"]?.string == "1")
        #expect(after["receipt"]?["cancellation_date_ms"]?.string != nil)
    }

    @Test func `a sandbox receipt can be made expired, revoked or from a volume purchase`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        func receipt(_ query: String) async throws -> JSONValue {
            let answer = await store.send(
                "GET", "/sandbox/device/v1/receipt?\(query)", token: token)
            #expect(answer.status == 200)
            return try await store.verify(answer.body)
        }
        let expired = try await receipt("expired=1")["receipt"]
        #expect(expired?["expiration_date_ms"] != nil)
        #expect(expired?["receipt_type"]?.string == "ProductionSandbox")
        let revoked = purchases(try await receipt("revoked=1&expired=0"))
        #expect(revoked.allSatisfy { $0["cancellation_date"] != nil } && revoked.count == 1)
        let volume = try await receipt("volume=1")["receipt"]
        #expect(volume?["receipt_type"]?.string == "ProductionVPPSandbox")
        let plain = try await store.verify(try await store.receipt(token: token))
        #expect(plain["receipt"]?["expiration_date_ms"] == nil)
        #expect(purchases(plain).allSatisfy { $0["cancellation_date"] == nil })
        let odd = await store.send("GET", "/sandbox/device/v1/receipt?expired=2", token: token)
        #expect(errorCode(odd) == "badQuery")
    }

    @Test func `moving to another storefront is reported to the apps and changes no purchase`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        func move(_ code: String) async throws -> HTTPResponse {
            try await store.control(
                "POST", "/control/v1/accounts/storefront",
                body: SetStorefrontBody(name: "buyer", storefront: code))
        }
        for code in ["DEU", "DEU"] {
            let answer = try await move(code)
            #expect(try WireJSON.decode(AccountBody.self, from: answer.body).storefront == "DEU")
        }
        let events = try await updates(token: token).events
        #expect(events.map(\.kind) == [.purchased, .storefrontChanged])
        #expect(events.last?.subject == "DEU")
        #expect(events.last?.transaction == nil)
        #expect(errorCode(try await move("XXX")) == "storefrontUnknown")
        let later = try await store.buy(Samples.fuel, token: token)
        let places = try store.registry.defaultWorld.database.read { scope in
            try [sold, later].map {
                try scope.transaction(TransactionID(Int64($0.transactionId) ?? 0))?.storefront
            }
        }
        #expect(places == ["USA", "DEU"])
    }
}
