import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Money that is asked back, from the request to its reversal.
struct RefundTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func ask(
        _ verb: String, _ id: String, _ body: (any Encodable)? = nil
    ) async throws -> HTTPResponse {
        try await store.control(
            verb == "consumption" ? "PUT" : "POST", "/control/v1/refunds/\(id)/\(verb)", body: body)
    }

    /// Asks twice, the second time later: the answer is the same.
    private func askTwice(
        _ verb: String, _ id: String, _ body: (any Encodable)? = nil
    ) async throws -> RefundBody {
        let first = try await ask(verb, id, body)
        try #require(first.status == 200, "\(String(decoding: first.body, as: UTF8.self))")
        store.move(byMilliseconds: 60_000)
        #expect(try await ask(verb, id, body) == first)
        return try WireJSON.decode(RefundBody.self, from: first.body)
    }

    private func request(
        _ id: String, _ reason: RefundReason = .unintendedPurchase
    ) async throws -> RefundBody {
        try await askTwice("request", id, RequestRefundBody(reason: reason))
    }

    private func grant(_ id: String, _ type: RefundType = .full) async throws -> RefundBody {
        try await askTwice("grant", id, GrantRefundBody(type: type))
    }

    private func updates(token: String, after cursor: Int64 = 0) async throws -> UpdatesBody {
        let answer = await store.send(
            "GET", "/sandbox/device/v1/updates?after=\(cursor)", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    private func finish(_ id: String, token: String) async {
        let path = "/sandbox/device/v1/transactions/\(id)/finish"
        #expect(await store.send("POST", path, token: token).status == 200)
    }

    private func restored(token: String) async throws -> [TransactionBody] {
        let answer = await store.send(
            "POST", "/sandbox/device/v1/restores", token: token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        return try WireJSON.decode(RestoreAnswerBody.self, from: answer.body).transactions
    }

    private func cancelled(token: String, _ receipt: [UInt8]? = nil) async throws -> [Bool] {
        let sent: [UInt8] =
            if let receipt { receipt } else { try await store.receipt(token: token) }
        let purchases = try await store.verify(sent)["receipt"]?["in_app"]?.array ?? []
        return purchases.map { $0["cancellation_date_ms"] != nil }
    }

    private func events() throws -> [String] {
        try store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT kind FROM event ORDER BY number").map { $0.text(0) }
        }
    }

    @Test func `a full refund revokes the purchase and its reversal restores it`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        await finish(sold.transactionId, token: token)
        let older = try await store.receipt(token: token)
        let asked = try await request(sold.transactionId, .fulfillmentIssue)
        #expect(asked.state == .requested && asked.account == "buyer")
        #expect(
            asked.consumptionDueDate.milliseconds - asked.requestDate.milliseconds == 43_200_000)
        #expect(try await cancelled(token: token) == [false])
        let before = try await updates(token: token)
        let granted = try await grant(sold.transactionId)
        #expect(granted.state == .granted && granted.revocationType == .full)
        #expect(granted.refundMilliunits == 2_990 && granted.revocationPercentage == 100_000)
        #expect(try await cancelled(token: token) == [true])
        #expect(try await cancelled(token: token, older) == [true])
        let between = try await store.receipt(token: token)
        #expect(try await restored(token: token).isEmpty)
        let taken = try await updates(token: token, after: before.cursor)
        #expect(taken.events.map(\.kind) == [.revoked])
        let reversed = try await askTwice("reverse", sold.transactionId)
        #expect(reversed.state == .reversed && reversed.revocationDate == granted.revocationDate)
        let given = try await updates(token: token, after: taken.cursor)
        #expect(given.events.map(\.kind) == [.purchased])
        #expect(given.events.first?.transaction?.isFinished == true, "nobody need deliver it")
        #expect(given.receiptRevision > taken.receiptRevision)
        #expect(try await cancelled(token: token) == [false])
        #expect(try await cancelled(token: token, older) == [false])
        #expect(try await cancelled(token: token, between) == [false], "signed as taken back")
        #expect(try await restored(token: token).map(\.productId) == [Samples.turbo])
        let again = try await store.buy(Samples.turbo, token: token)
        #expect(again.originalTransactionId == sold.transactionId, "it is owned again")
        // What comes late does nothing.
        let late = try await ask("grant", sold.transactionId, GrantRefundBody(type: .full))
        #expect(errorCode(late) == "refundDecided")
        #expect(errorCode(try await ask("decline", sold.transactionId)) == "refundDecided")
        #expect(
            try events().filter { !["purchased", "finished", "restored"].contains($0) } == [
                "refundRequested", "revoked", "refundReversed",
            ])
    }

    @Test func `reversing the refund of an unfinished purchase delivers it`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.fuel, token: token)
        _ = try await request(sold.transactionId)
        _ = try await grant(sold.transactionId)
        func unfinished() async throws -> [String] {
            let answer = await store.send("GET", "/sandbox/device/v1/transactions", token: token)
            return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions
                .map(\.transactionId)
        }
        #expect(try await unfinished().isEmpty)
        let before = try await updates(token: token)
        _ = try await askTwice("reverse", sold.transactionId)
        #expect(try await unfinished() == [sold.transactionId])
        let news = try await updates(token: token, after: before.cursor).events
        #expect(news.map { $0.transaction?.isFinished } == [nil])
        #expect(try await cancelled(token: token) == [false])
    }

    @Test func `a declined refund request changes nothing and cannot be repeated`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        _ = try await request(sold.transactionId, .legal)
        let before = try await updates(token: token)
        let declined = try await askTwice("decline", sold.transactionId)
        #expect(declined.state == .declined && declined.declineDate != nil)
        #expect(try await updates(token: token, after: before.cursor).events.isEmpty)
        #expect(try await cancelled(token: token) == [false])
        #expect(try await request(sold.transactionId, .legal).state == .declined)
        let other = try await ask(
            "request", sold.transactionId, RequestRefundBody(reason: .other))
        #expect(errorCode(other) == "refundRequested")
        #expect(errorCode(try await ask("reverse", sold.transactionId)) == "refundNotGranted")
        #expect(try events().filter { $0 == "refundDeclined" }.count == 1)
    }

    @Test func `a partial refund follows the consumption the app reported`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.fuel, quantity: 2, token: token)
        let id = sold.transactionId
        _ = try await request(id)
        let unknown = try await ask("grant", id, GrantRefundBody(type: .prorated))
        #expect(errorCode(unknown) == "consumptionUnknown")
        let said = Consumption(
            customerConsented: true, consumptionPercentage: 50_000, deliveryStatus: .delivered,
            refundPreference: .grantProrated, sampleContentProvided: true)
        let answered = try await askTwice("consumption", id, said)
        #expect(answered.state == .answered && answered.consumption == said)
        let other = try await ask(
            "consumption", id,
            Consumption(
                customerConsented: true, deliveryStatus: .undeliveredOther,
                sampleContentProvided: true))
        #expect(errorCode(other) == "consumptionAnswered")
        let granted = try await grant(id, .prorated)
        #expect(granted.revocationPercentage == 50_000)
        let whole = try store.registry.defaultWorld.database.read { scope in
            try scope.transaction(TransactionID(Int64(id) ?? 0))?.charged.milliunits
        }
        #expect(granted.refundMilliunits == (whole ?? 0) / 2)
        #expect(errorCode(try await ask("decline", id)) == "refundDecided")
    }

    @Test func `a non-consumable and its restored copies are refunded as one purchase`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let sold = try await store.buy(Samples.turbo, token: token)
        await finish(sold.transactionId, token: token)
        let again = try await store.buy(Samples.turbo, token: token)
        let copy = try #require(try await restored(token: token).first)
        for id in [copy.transactionId, again.transactionId] {
            #expect(try await request(id).transactionId == sold.transactionId)
        }
        let granted = try await grant(again.transactionId)
        #expect(granted.refundMilliunits == 2_990)
        #expect(try await cancelled(token: token) == [true, true])
        let between = try await store.receipt(token: token)
        _ = try await askTwice("reverse", copy.transactionId)
        #expect(try await cancelled(token: token) == [false, false])
        #expect(try await cancelled(token: token, between) == [false, false])
        let shown = try await store.control("GET", "/control/v1/refunds/\(copy.transactionId)")
        try Golden.check(shown.body, "control-refund.json")
        let listed = try await store.control("GET", "/control/v1/refunds")
        #expect(try WireJSON.decode(RefundsBody.self, from: listed.body).refunds.count == 1)
    }

    @Test func `a purchase that cannot be refunded is refused`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let reason = RequestRefundBody(reason: .other)
        for id in ["1", "0", "x", "99999999999999999999"] {
            #expect(errorCode(try await ask("request", id, reason)) == "transactionUnknown")
            #expect(errorCode(try await ask("decline", id)) == "transactionUnknown")
        }
        let sold = try await store.buy(Samples.fuel, token: token)
        for (verb, body) in [
            ("grant", GrantRefundBody(type: .full) as (any Encodable)?), ("decline", nil),
            ("reverse", nil),
        ] {
            #expect(errorCode(try await ask(verb, sold.transactionId, body)) == "refundUnknown")
        }
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        #expect(revoked.status == 200)
        #expect(
            errorCode(try await ask("request", sold.transactionId, reason)) == "transactionRevoked")
        let old = try await store.buy(Samples.fuel, token: token)
        store.move(byMilliseconds: 90 * 86_400_000 + 1)
        #expect(errorCode(try await ask("request", old.transactionId, reason)) == "refundTooLate")
        let path = "/control/v1/refunds/\(old.transactionId)/request"
        let stranger = await store.send(
            "POST", path, token: token, body: Array(#"{"reason":"OTHER"}"#.utf8))
        #expect(stranger.status == 401)
        let odd = await store.send(
            "POST", path, token: TestStore.controlToken, body: Array(#"{"reason":"mood"}"#.utf8))
        #expect(odd.status == 400)
    }
}
