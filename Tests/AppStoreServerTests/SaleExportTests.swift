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
        let last = try #require(sales.position)
        #expect(try await export("?after=0").transactions == sales.transactions)
        let rest = try await export("?after=\(last)")
        #expect(rest.transactions.isEmpty && rest.position == last)
        let text = try await store.control("GET", "/control/v1/transactions.csv?after=\(last)")
        #expect(text.headers["Position"] == last && text.headers["Next-After"] == nil)
    }

    @Test(arguments: [
        "x", "", "1", "2000000000000000", "-1", "1-", "-", "1-2-3", "1-x", "+1-2", "1--2",
        "12345678901234567-1",
    ])
    func `a position that no page gave is refused`(after: String) async throws {
        for path in ["/transactions", "/transactions.csv"] {
            let answer = try await store.control("GET", "/control/v1\(path)?after=\(after)")
            #expect(answer.status == 400)
            #expect(errorCode(answer) == "badQuery")
        }
    }

    @Test func `whoever goes on from the last position misses no sale of either environment`()
        async throws
    {
        let real = try await store.openProduction()
        let test = try await store.signIn()
        try await store.topUp("20")
        func buyTest() async throws -> String {
            try await store.buy(Samples.fuel, token: test).transactionId
        }
        var made: [String] = []
        var heard: [String] = []
        var position = "0"
        for _ in 1...3 {
            made.append(try await buyTest())
            made.append(try await buy(Samples.fuel, token: real))
            let page = try await export("?after=\(position)")
            heard += page.transactions.map(\.transactionId)
            position = try #require(page.position)
        }
        #expect(heard.sorted() == made.sorted())
    }

    @Test func `a sale made while pages are read is on a later page`() async throws {
        let real = try await store.openProduction()
        let test = try await store.signIn()
        try await store.topUp("20")
        var made: [String] = []
        for number in 0..<3 {
            made.append(try await store.buy(Samples.fuel, token: test).transactionId)
            if number == 0 { made.append(try await buy(Samples.fuel, token: real)) }
        }
        var heard: [String] = []
        var position = SalePosition.start
        for _ in 0..<3 {
            let page = try store.registry.defaultWorld.database.read {
                try SalePage(.all, after: position, .oldest, countMax: 2, $0)
            }
            heard += page.sales.map(\.sold.transactionId)
            position = page.position
            // Production was listed to its end, and sells again.
            if heard.count == 2 { made.append(try await buy(Samples.fuel, token: real)) }
        }
        #expect(heard.sorted() == made.sorted())
        #expect(heard.count == made.count && made.count == 5)
    }
}
