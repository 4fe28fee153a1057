import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What `verifyReceipt` answers about receipts of single transactions of subscriptions.
struct VerifyOldSubscriptionTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a transaction receipt of a subscription is answered in the old style`() async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let first = try await store.transactionReceipt(of: bought.transactionId)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        let active = try await store.verify(first)
        #expect(active["status"]?.integer == 0 && active["environment"] == nil)
        #expect(active["receipt"]?["expires_date"]?.string == "1777593600000")
        #expect(active["latest_receipt_info"]?["expires_date"]?.string == "1780272000000")
        #expect(active["auto_renew_status"]?.integer == 1)
        let newest = try #require(active["latest_receipt"]?.string)
        let again = try await store.verify(Array(try #require(Data(base64Encoded: newest))))
        #expect(again["receipt"] == active["latest_receipt_info"])
        try Golden.check(active.plain.xcodeBytes, "verify-old-subscription-active.json")
        try await store.change(bought.transactionId, "cancel")
        try await store.advance(to: "2026-07-02T00:00:00Z")
        let expired = try await store.verify(first)
        #expect(expired["status"]?.integer == 21006)
        #expect(expired["latest_receipt"] == nil && expired["latest_receipt_info"] == nil)
        #expect(
            expired["latest_expired_receipt_info"]?["transaction_id"]
                == active["latest_receipt_info"]?["transaction_id"])
        #expect(expired["receipt"]?["transaction_id"]?.string == bought.transactionId)
        #expect(expired["expiration_intent"]?.string == "1")
        try Golden.check(expired.plain.xcodeBytes, "verify-old-subscription-expired.json")
    }

    @Test func `each period's own receipt verifies as that period`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try await store.advance(to: "2026-06-02T00:00:00Z")
        let listed = await store.store.send(
            "GET", "\(store.base)/device/v1/transactions", token: store.token)
        let periods = try WireJSON.decode(UnfinishedBody.self, from: listed.body).transactions
        var ends: [String?] = []
        for period in periods {
            let answer = try await store.verify(
                try await store.transactionReceipt(of: period.transactionId))
            #expect(answer["status"]?.integer == 0)
            let receipt = try #require(answer["receipt"])
            #expect(receipt["transaction_id"]?.string == period.transactionId)
            #expect(receipt["original_transaction_id"]?.string == bought.transactionId)
            ends.append(receipt["expires_date_formatted"]?.string)
        }
        #expect(
            ends == ["05", "06", "07"].map { "2026-\($0)-01 00:00:00 Etc/GMT" })
    }

    /// As a store that was off for a while, or that cannot settle one of them.
    @Test func `an old-style answer reports a period's end even before the renewal is settled`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        _ = try await store.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 3))
        let bought = try await store.buy()
        let receipt = try await store.transactionReceipt(of: bought.transactionId)
        let database = store.store.registry.defaultWorld.database
        let trouble = """
            CREATE TRIGGER broken BEFORE UPDATE ON subscription
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """
        func expect(_ status: Int64, at moment: String) async throws {
            try await store.advance(to: moment)
            let answer = try await store.verify(receipt)
            #expect(answer["status"]?.integer == status, "\(moment)")
            #expect(answer["auto_renew_status"]?.integer == 1)
            let newest = status == 0 ? "latest_receipt_info" : "latest_expired_receipt_info"
            #expect(answer[newest]?["transaction_id"] != nil)
        }
        try database.write { _ = try $0.execute(trouble) }
        try await expect(0, at: "2026-04-30T23:59:59Z")
        try await expect(21006, at: "2026-05-01T00:00:00Z")
        try database.write { _ = try $0.execute("DROP TRIGGER broken") }
        store.store.move(byMilliseconds: SetAside.pauseMilliseconds + 1)
        try await store.change(bought.transactionId, "fail-billing")
        try await expect(0, at: "2026-06-03T00:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .gracePeriod)
        try database.write { _ = try $0.execute(trouble) }
        try await expect(0, at: "2026-06-03T23:59:59Z")
        try await expect(21006, at: "2026-06-04T00:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .gracePeriod)
    }

    @Test func `a restored transaction's receipt has no expiry date`() async throws {
        let store = try await Fixture()
        let bought = try await store.buy()
        _ = await store.store.send(
            "POST", "/sandbox/device/v1/transactions/\(bought.transactionId)/finish",
            token: store.token)
        let restored = await store.store.send(
            "POST", "/sandbox/device/v1/restores", token: store.token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        let page = try WireJSON.decode(RestoreAnswerBody.self, from: restored.body)
        let copy = try #require(page.transactions.first)
        #expect(copy.originalTransactionId == bought.transactionId)
        let receipts = await store.store.send(
            "POST", "/sandbox/device/v1/transaction-receipts", token: store.token,
            body: try WireJSON.encode(
                TransactionReceiptsRequestBody(transactionIds: [copy.transactionId])))
        let body = try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: receipts.body)
        let answer = try await store.verify(
            Array(try #require(Data(base64Encoded: body.receipts[0].receipt))))
        #expect(answer["status"]?.integer == 0)
        #expect(answer["receipt"]?["expires_date"] == nil)
        #expect(answer["receipt"]?["web_order_line_item_id"] != nil)
        #expect(answer["latest_receipt_info"]?["expires_date"] != nil)
    }

    @Test func `a period replaced by an upgrade has a cancellation date and no reason`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let silver = try await store.buy()
        try await store.advance(to: "2026-04-16T00:00:00Z")
        let gold = try await store.buy(Fixture.gold)
        let old = try await store.verify(
            try await store.transactionReceipt(of: silver.transactionId))["receipt"]
        #expect(old?["cancellation_date"]?.string == "2026-04-16 00:00:00 Etc/GMT")
        #expect(old?["cancellation_reason"] == nil)
        let new = try await store.verify(
            try await store.transactionReceipt(of: gold.transactionId))["receipt"]
        #expect(new?["transaction_id"] != nil && new?["cancellation_date"] == nil)
    }
}
