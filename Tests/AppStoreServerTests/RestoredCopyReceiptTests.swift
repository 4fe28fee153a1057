import Foundation
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// The receipt of a transaction that was given back says what became of the purchase.
struct RestoredCopyReceiptTests {
    /// What gives a finished purchase back.
    private func copy(
        of bought: TransactionBody, _ store: TestStore, token: String
    ) async throws -> TransactionBody {
        let finished = await store.send(
            "POST", "/sandbox/device/v1/transactions/\(bought.transactionId)/finish", token: token)
        #expect(finished.status == 200)
        let answer = await store.send(
            "POST", "/sandbox/device/v1/restores", token: token,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        let page = try WireJSON.decode(RestoreAnswerBody.self, from: answer.body)
        let copy = try #require(page.transactions.first)
        #expect(copy.transactionId != bought.transactionId)
        return copy
    }

    private func revoke(_ id: String, _ store: TestStore) async throws {
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
    }

    @Test func `a restored copy's receipt shows that the non-consumable was revoked`() async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        let bought = try await store.buy(Samples.turbo, token: token)
        let copy = try await copy(of: bought, store, token: token)
        let receipt = try await store.transactionReceipt(copy.transactionId, token: token)
        let before = try await store.verify(receipt)
        #expect(before["receipt"]?["cancellation_date"] == nil)
        try await revoke(bought.transactionId, store)
        let after = try await store.verify(receipt)
        #expect(after["status"]?.integer == 0)
        #expect(after["receipt"]?["transaction_id"]?.string == copy.transactionId)
        #expect(after["receipt"]?["cancellation_date"]?.string != nil)
        #expect(after["receipt"]?["cancellation_reason"]?.string == "1")
    }

    @Test func `a restored copy's receipt shows that the subscription period was revoked`()
        async throws
    {
        let store = try await SubscriptionFixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let copy = try await copy(of: bought, store.store, token: store.token)
        let receipt = try await store.transactionReceipt(of: copy.transactionId)
        #expect(try await store.verify(receipt)["receipt"]?["cancellation_date"] == nil)
        try await revoke(bought.transactionId, store.store)
        let after = try await store.verify(receipt)["receipt"]
        #expect(after?["cancellation_date"]?.string == "2026-04-01 00:00:00 Etc/GMT")
        #expect(after?["cancellation_reason"]?.string == "1")
    }
}
