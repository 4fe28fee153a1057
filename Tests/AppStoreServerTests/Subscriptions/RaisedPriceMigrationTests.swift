import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// Worlds from when events alone told that an owner had raised a price.
struct RaisedPriceMigrationTests {
    @Test func `a price that was raised stays raised, and the present product is not another`()
        async throws
    {
        let folder = TemporaryFolder()
        let store = try await SubscriptionFixture(
            at: "2026-04-01T00:00:00Z", store: try TestStore(folder: folder))
        let id = try await store.buy().transactionId
        store.store.registry.close()
        let path = folder.path + "/default.sqlite"
        let database = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        let number = try #require(Int64(id))
        defer { database.close() }
        let before = [
            "ALTER TABLE subscription DROP COLUMN is_raised",
            "UPDATE subscription SET next_product_id = product_id",
            """
            INSERT INTO event (number, kind, environment, app_id, account_id, transaction_id,
                at_ms)
            SELECT 1000, 'priceIncreased', environment, app_id, account_id, id, purchased_ms
            FROM store_transaction WHERE id = \(number)
            """,
        ]
        try database.write { scope in
            for statement in before + WorldSchema.raisedPrices.statements {
                _ = try scope.execute(statement)
            }
        }
        let kept = try #require(try database.read { try $0.subscription(TransactionID(number)) })
        #expect(kept.state.isRaised && kept.state.nextProduct == nil)
    }
}
