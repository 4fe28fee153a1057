import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// What an account's receipt shows is bounded, and nothing is sold beyond it.
struct FullReceiptTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func answer(_ product: String, token: String) async throws -> AttemptAnswerBody {
        let answer = try await store.attempt(product, token: token)
        #expect(answer.status == 200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    @Test func `purchases are sold until the receipt is full and not beyond`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let half = PurchaseRules.receiptPurchasesMax / 2
        let fuel = try await store.buy(Samples.fuel, token: token)
        let turbo = try await store.buy(Samples.turbo, token: token)
        try store.repeatPurchase(fuel, half - 1)
        try store.repeatPurchase(turbo, half - 2)
        #expect(try await answer(Samples.fuel, token: token).state == .done)
        for product in [Samples.fuel, Samples.turbo] {
            let refused = try await answer(product, token: token)
            #expect(refused.state == .refused)
            #expect(refused.refusal?.code == .receiptFull)
        }
        let receipt = try await store.receipt(token: token)
        #expect(try await store.verify(receipt)["status"]?.integer == 0)
        // A consumable that is finished makes room.
        let finished = await store.send(
            "POST", "/sandbox/device/v1/transactions/\(fuel.transactionId)/finish", token: token)
        #expect(finished.status == 200)
        let last = try await answer(Samples.fuel, token: token)
        #expect(last.state == .done)
        #expect(try await answer(Samples.fuel, token: token).refusal?.code == .receiptFull)
        // So does one that is taken back before.
        let id = try #require(last.transaction?.transactionId)
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
        #expect(try await answer(Samples.fuel, token: token).state == .done)
        #expect(try await answer(Samples.fuel, token: token).refusal?.code == .receiptFull)
    }

    @Test func `finished consumables take no room in the receipt`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let fuel = try await store.buy(Samples.fuel, token: token)
        try store.repeatPurchase(fuel, PurchaseRules.receiptPurchasesMax)
        #expect(try await answer(Samples.fuel, token: token).refusal?.code == .receiptFull)
        _ = try store.registry.defaultWorld.database.write {
            try $0.execute("UPDATE store_transaction SET finished_ms = purchased_ms")
        }
        #expect(try await answer(Samples.fuel, token: token).state == .done)
    }

    @Test func `the largest receipt can be signed, however long its identifiers`()
        throws
    {
        let time = TestStore.start
        let longest = String(repeating: "p", count: Limits.identifierBytesMax)
        let purchases = (0..<PurchaseRules.receiptPurchasesMax).map { number in
            var purchase = ReceiptPurchase(
                quantity: 10, productID: longest,
                transactionID: "\(9_007_199_254_000_000 + number)",
                purchasedAt: time, originalTransactionID: "\(9_007_199_254_000_000 + number)",
                originallyPurchasedAt: time, kind: .nonRenewing)
            purchase.cancelledAt = time
            purchase.cancellationReason = 1
            return purchase
        }
        let payload = ReceiptPayload(
            receiptType: "ProductionSandbox", appItemID: 0, bundleID: longest,
            applicationVersion: "1.0", opaqueValue: Array(repeating: 1, count: 16),
            deviceHash: Array(repeating: 2, count: 20), createdAt: time, downloadID: 0,
            versionExternalIdentifier: 0, purchases: purchases, originalPurchaseDate: time,
            originalApplicationVersion: "1.0", expiresAt: nil)
        let receipt = try store.registry.defaultWorld.signer(for: .sandbox).sign(payload)
        #expect(receipt.count <= ReceiptLimits.receiptBytesMax)
    }
}
