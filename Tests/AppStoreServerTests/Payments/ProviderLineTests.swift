import StoreDatabase
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// How what a provider is to be asked is found, however much of it waits.
struct ProviderLineTests {
    private func plan(_ sql: String, _ values: [SQLValue]) throws -> [String] {
        let store = try TestStore()
        return try store.registry.defaultWorld.database.read { scope in
            try scope.rows("EXPLAIN QUERY PLAN \(sql)", values).map { $0.text(3) }
        }
    }

    @Test(
        "each line has an index of its own, in whose order it is read",
        arguments: [
            (ProviderLine.purchases.tasks, "payment_purchases_due (next_real_ms<?)"),
            (ProviderLine.settlements.tasks, "payment_settlements_due (next_real_ms<?)"),
            (ProviderLine.renewals.tasks, "payment_renewals_due (next_real_ms<?)"),
            (PaymentRefundLine.tasks, "payment_refund_due (next_real_ms<?)"),
            (ProviderLine.purchases.next, "payment_purchases_due"),
            (ProviderLine.settlements.next, "payment_settlements_due"),
            (ProviderLine.renewals.next, "payment_renewals_due"),
            (PaymentRefundLine.next, "payment_refund_due"),
        ])
    func index(sql: String, index: String) throws {
        let values: [SQLValue] = [.integer(1), .integer(8)]
        let plan = try plan(sql, sql.contains("?2") ? values : [.integer(8)])
        #expect(plan.first?.contains("INDEX \(index)") == true, "\(plan)")
        #expect(!plan.contains { $0.contains("ORDER BY") }, "\(plan): nothing is sorted")
    }

    @Test func `a refund is requested promptly beside many purchases and their captures`()
        async throws
    {
        let provider = ScriptedProvider()
        let store = try TestStore(provider: provider)
        let token = try await store.openProduction()
        let sold = try await store.buy(Samples.fuel, token: token, in: "/production")
        try await store.settlePayments()
        provider.hold()
        let count = Limits.declinedPaymentsMax - 2
        let attempts = (0..<count).map { _ in
            Task { try await store.attempt(Samples.fuel, token: token, in: "/production") }
        }
        try await store.until { try await store.payments().count == count + 1 }
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        #expect(revoked.status == 200)
        // What is captured from now on is due later.
        store.move(byMilliseconds: 1)
        provider.letGo()
        for attempt in attempts { _ = try await attempt.value }
        try await store.settlePayments()
        let refund = try #require(provider.asked.firstIndex(of: "refund 990"))
        let lastAsked = try #require(provider.asked.lastIndex(of: "authorize 990"))
        #expect(refund < lastAsked)
    }
}
