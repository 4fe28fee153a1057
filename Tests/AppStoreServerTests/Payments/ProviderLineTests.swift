import StoreDatabase
import StoreModel
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
            (PaymentLine.purchases.tasks, "payment_purchases_due (next_real_ms<?)"),
            (PaymentLine.settlements.tasks, "payment_settlements_due (next_real_ms<?)"),
            (PaymentLine.renewals.tasks, "payment_renewals_due (next_real_ms<?)"),
            (PaymentRefundLine.tasks, "payment_refund_due (next_real_ms<?)"),
            (PaymentLine.purchases.next, "payment_purchases_due"),
            (PaymentLine.settlements.next, "payment_settlements_due"),
            (PaymentLine.renewals.next, "payment_renewals_due"),
            (PaymentRefundLine.next, "payment_refund_due"),
        ])
    func index(sql: String, index: String) throws {
        let values: [SQLValue] = [.integer(1), .integer(8)]
        let plan = try plan(sql, sql.contains("?2") ? values : [.integer(8)])
        #expect(plan.first?.contains("INDEX \(index)") == true, "\(plan)")
        #expect(!plan.contains { $0.contains("ORDER BY") }, "\(plan): nothing is sorted")
    }
}
