import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's list of sales: its filters, orders and pages.
struct SaleListTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private struct Sold {
        let fuel: String
        let turbo: String
        let real: String
        /// The token of the device in production.
        let customer: String
    }

    /// Two purchases in the sandbox, an hour apart, the second one finished, and one in production
    /// in between.
    private func sell() async throws -> Sold {
        let real = try await store.openProduction()
        try await store.topUp("20")
        let test = try await store.signIn()
        let fuel = try await store.buy(Samples.fuel, token: test).transactionId
        store.move(byMilliseconds: 1_800_000)
        let paid = try await store.buy(Samples.fuel, token: real, in: "/production").transactionId
        store.move(byMilliseconds: 1_800_000)
        let turbo = try await store.buyAndFinish(Samples.turbo, token: test).transactionId
        return Sold(fuel: fuel, turbo: turbo, real: paid, customer: real)
    }

    @Test func `each filter leaves what it names`() async throws {
        let sold = try await sell()
        let start = TestStore.start.milliseconds
        for (query, expected) in [
            ("", [sold.real, sold.fuel, sold.turbo]),
            ("account=buyer", [sold.fuel, sold.turbo]),
            ("account=payer&environment=production", [sold.real]),
            ("environment=sandbox", [sold.fuel, sold.turbo]),
            ("app=\(TestStore.bundleID)", [sold.real, sold.fuel, sold.turbo]),
            ("product=\(Samples.fuel)", [sold.real, sold.fuel]),
            ("product=\(Samples.season)", []),
            ("product=\(Samples.fuel)&account=buyer", [sold.fuel]),
            ("state=unfinished", [sold.real, sold.fuel]), ("state=finished", [sold.turbo]),
            ("state=revoked", []), ("state=replaced", []),
            ("from=\(start + 1)", [sold.real, sold.turbo]),
            ("until=\(start + 3_600_000)", [sold.real, sold.fuel]),
            ("from=\(start)&until=\(start + 1)", [sold.fuel]),
            ("account=buyer&product=\(Samples.turbo)&state=finished&from=0", [sold.turbo]),
        ] {
            #expect(try await store.sales(query) == expected, "\(query)")
        }
        let revoked = try await store.control(
            "POST", "/control/v1/transactions/\(sold.turbo)/revoke",
            body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
        #expect(try await store.sales("state=revoked") == [sold.turbo])
        #expect(try await store.sales("state=revoked&environment=production") == [])
        #expect(try await store.sales("state=finished") == [])
    }

    @Test func `a sale has its buyer and what became of it`() async throws {
        let sold = try await sell()
        let page: SalesBody = try await store.list("/transactions?environment=sandbox")
        #expect(page.transactions.map(\.account) == ["buyer", "buyer"])
        #expect(page.transactions.map(\.state) == [.unfinished, .finished])
        #expect(page.transactions.map { $0.finishedAt == nil } == [true, false])
        let answer = try await store.control("GET", "/control/v1/transactions?limit=2")
        try Golden.check(answer.body, "control-transactions.json")
        let shown: SaleDetailsBody = try await store.list("/transactions/\(sold.turbo)")
        #expect(shown.transaction == page.transactions[1])
    }

    @Test func `the newest first, both environments are merged by time`() async throws {
        let sold = try await sell()
        #expect(try await store.sales("order=newest") == [sold.turbo, sold.real, sold.fuel])
        for limit in 1...3 {
            let path = "/transactions?order=newest&limit=\(limit)"
            let found = try await store.walk(
                path, { (page: SalesBody) in page.transactions }, \.next)
            #expect(found.map(\.sold.transactionId) == [sold.turbo, sold.real, sold.fuel])
        }
        let page: SalesBody = try await store.list("/transactions?order=newest&limit=1")
        #expect(page.next != nil)
        // From the position on, there is only what is sold from now on.
        #expect(try await store.sales("after=\(page.position)") == [])
        let test = try await store.signIn()
        let more = try await store.buy(Samples.fuel, token: test).transactionId
        #expect(try await store.sales("after=\(page.position)") == [more])
    }

    @Test func `what is sold between two pages is on neither, also where the first had nothing`()
        async throws
    {
        let sold = try await sell()
        let page: SalesBody = try await store.list("/transactions?order=newest&limit=1")
        #expect(page.transactions.map(\.sold.transactionId) == [sold.turbo])
        _ = try await store.buy(Samples.fuel, token: sold.customer, in: "/production")
        let next = try #require(page.next)
        #expect(try await store.sales("order=newest&after=\(next)") == [sold.real, sold.fuel])
    }

    @Test(arguments: ["oldest", "newest"], ["", "&account=buyer", "&product=\(Samples.fuel)"])
    func `sales of one moment are on the pages once, in their order`(
        order: String, filter: String
    ) async throws {
        try await store.stock()
        let token = try await store.signIn()
        var made: [String] = []
        for _ in 1...5 {
            made.append(try await store.buy(Samples.fuel, token: token).transactionId)
        }
        if order == "newest" { made.reverse() }
        for limit in [1, 2, 5, 6] {
            let path = "/transactions?order=\(order)&limit=\(limit)\(filter)"
            let found = try await store.walk(
                path, { (page: SalesBody) in page.transactions }, \.next)
            #expect(found.map(\.sold.transactionId) == made)
        }
        let whole: SalesBody = try await store.list("/transactions?order=\(order)&limit=5\(filter)")
        #expect(whole.next == nil, "nothing follows the last")
    }

    @Test(arguments: ListOrder.allCases)
    func `a page looks at so many sales and goes on`(order: ListOrder) async throws {
        let sold = try await sell()
        let page = try await store.control("GET", "/control/v1/transactions?state=finished")
        #expect(page.status == 200)
        try store.registry.defaultWorld.database.read { scope in
            for state in ["finished", "unfinished", "replaced"] {
                let filter = try SaleFilter.of("state", state, scope)
                var found: [String] = []
                var position = SalePosition.start
                var pages = 0
                var goesOn = true
                while goesOn, pages < 10 {
                    let page = try SalePage(
                        filter, after: position, order, countMax: 5, lookingAt: 1, scope)
                    found += page.sales.map(\.sold.transactionId)
                    (position, goesOn, pages) = (page.position, page.goesOn, pages + 1)
                }
                #expect(pages > 1 && pages < 10)
                let expected = [
                    "finished": [sold.turbo], "unfinished": [sold.real, sold.fuel],
                ]
                #expect(found == expected[state] ?? [], "\(state)")
            }
        }
    }

    @Test func `a product that many bought is found on a walk, a rare one by its index`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        for _ in 1...3 { _ = try await store.buy(Samples.fuel, token: token) }
        let turbo = try await store.buy(Samples.turbo, token: token).transactionId
        try store.registry.defaultWorld.database.read { scope in
            for (product, count) in [(Samples.fuel, 3), (Samples.turbo, 1)] {
                let filter = try SaleFilter.of("product", product, scope)
                let page = try SalePage(
                    filter, after: .start, .newest, countMax: 5, lookingAt: 2, scope)
                // Of the many, a walk looks at two.
                #expect(page.goesOn == (count == 3))
                #expect(page.sales.count == 1)
                if count == 1 { #expect(page.sales.map(\.sold.transactionId) == [turbo]) }
            }
        }
    }

    @Test(arguments: [
        ("order=newer", "order is not one of oldest, newest."),
        ("state=sold", "state is not one of revoked, replaced, unfinished, finished."),
        ("environment=Sandbox", "environment is not one of production, sandbox."),
        ("limit=0", "limit is not a number from 1 to 1000."),
        ("limit=1001", "limit is not a number from 1 to 1000."),
        ("limit=many", "limit is not a number from 1 to 1000."),
        ("from=2026-01-01", "from is not a time: write milliseconds since 1970, such as"),
        ("until=99999999999999999", "until is not a time"), ("until=", "until is not a time"),
        ("from=5&until=5", "until is not after from."),
        ("after=5", "after is not a position that an earlier page gave, nor 0."),
    ])
    func `a bad filter is refused with what is wrong`(query: String, sentence: String)
        async throws
    {
        let found = try await store.refusal("/transactions?\(query)")
        #expect(found.status == 400 && found.code == "badQuery")
        #expect(found.message.hasPrefix(sentence), "\(found.message)")
    }

    @Test(arguments: [
        ("account=nobody", "accountUnknown", #"no account "nobody" in the sandbox"#),
        ("account=buyer&environment=production", "accountUnknown", "in the production"),
        ("account=", "accountUnknown", "no account"),
        ("app=com.example.none", "appUnknown", "com.example.none"),
        ("product=com.example.none", "productUnknown", "com.example.none"),
        ("product=", "productUnknown", "no product"),
    ])
    func `an unknown name is not found`(query: String, code: String, part: String) async throws {
        try await store.stock()
        let found = try await store.refusal("/transactions?\(query)")
        #expect(found.status == 404 && found.code == code)
        #expect(found.message.contains(part), "\(found.message)")
    }

    @Test func `a deleted account's sales are listed under its pseudonym`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let fuel = try await store.buy(Samples.fuel, token: token).transactionId
        let gone = try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(name: "buyer", requestId: UUID().uuidString))
        let left = try WireJSON.decode(DeletedAccountBody.self, from: gone.body)
        #expect(try await store.sales("account=\(left.account)") == [fuel])
        #expect(try await store.refusal("/transactions?account=buyer").status == 404)
    }
}
