import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// How the store finds what an account owns already.
struct LastingPurchaseTests {
    @Test func `buying an owned product again is free and names the first, among many consumables`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: token)
        let first = try await store.buy(Samples.turbo, token: token)
        for _ in 0..<3 { _ = try await store.buy(Samples.fuel, token: token) }
        let again = try await store.buy(Samples.turbo, token: token)
        #expect(again.transactionId != first.transactionId)
        #expect(again.originalTransactionId == first.transactionId)
        let fuel = try await store.buy(Samples.fuel, token: token)
        #expect(fuel.originalTransactionId == fuel.transactionId)
        let charged = try store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT charged_milliunits FROM store_transaction
                WHERE product_id = ?1 ORDER BY id
                """, [.text(Samples.turbo)]
            ).map { $0.integer(0) }
        }
        #expect(charged.count == 2)
        #expect(charged.first != 0)
        #expect(charged.last == 0)
    }
}
