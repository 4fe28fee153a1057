import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's export of what was sold, beside the ledger.
struct SaleExportTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func buy(_ product: String, quantity: Int = 1, token: String) async throws -> String {
        try await store.buy(product, quantity: quantity, token: token, in: "/production")
            .transactionId
    }

    private func export(_ query: String = "") async throws -> SoldTransactionsBody {
        let answer = try await store.control("GET", "/control/v1/transactions" + query)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(SoldTransactionsBody.self, from: answer.body)
    }

    /// What the developer has, by the ledger.
    private func proceeds() throws -> Int64 {
        try store.registry.defaultWorld.database.read {
            try #require(
                try $0.row(
                    """
                    SELECT coalesce(sum(milliunits), 0) FROM ledger_posting
                    WHERE account_kind = 'developer'
                    """)
            ).integer(0)
        }
    }

    @Test func `each sale has what the ledger charged and refunded, in both formats`()
        async throws
    {
        let token = try await store.openProduction()
        try await store.topUp("20")
        let fuel = try await buy(Samples.fuel, quantity: 2, token: token)
        let turbo = try await buy(Samples.turbo, token: token)
        let again = try await buy(Samples.turbo, token: token)
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(fuel)/revoke", body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
        let sales = try await export().transactions
        #expect(sales.map(\.transactionId) == [fuel, turbo, again])
        #expect(sales.map(\.chargedMilliunits) == [1_980, 2_990, 0])
        #expect(sales.map(\.refundedMilliunits) == [1_980, 0, 0])
        #expect(sales.map(\.quantity) == [2, 1, 1])
        #expect(sales.map { $0.revokedAt != nil } == [true, false, false])
        #expect(sales.map(\.originalTransactionId) == [fuel, turbo, turbo])
        #expect(sales.allSatisfy { $0.currency == "USD" && $0.environment == "Production" })
        let net = sales.reduce(0) { $0 + $1.chargedMilliunits - $1.refundedMilliunits }
        #expect(try net == proceeds())

        let text = try await store.control("GET", "/control/v1/transactions.csv")
        #expect(text.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        let rows = try CSV.rows(String(decoding: text.body, as: UTF8.self))
        #expect(rows.first == SoldTransactionBody.csvHeader)
        #expect(rows.dropFirst().map { SoldTransactionBody(csvFields: $0) } == sales)
    }

    @Test func `pages follow each other, and restored and sandbox purchases charge nothing`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        #expect(try await store.restore(token: token).count == 1)
        let sales = try await export()
        #expect(sales.transactions.count == 1)
        #expect(sales.transactions.map(\.chargedMilliunits) == [0])
        #expect(sales.transactions.map(\.priceMilliunits) == [2_990])
        #expect(sales.next == nil)
        let last = try #require(sales.transactions.last?.transactionId)
        #expect(try await export("?after=\(last)").transactions.isEmpty)
        for path in ["/transactions", "/transactions.csv"] {
            let answer = try await store.control("GET", "/control/v1\(path)?after=x")
            #expect(answer.status == 400)
        }
    }
}
