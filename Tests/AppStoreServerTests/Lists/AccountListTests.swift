import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's list of accounts, and one account with how much there is of it.
struct AccountListTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func add(_ name: String, in environment: StoreEnvironment = .sandbox) async throws {
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: environment, name: name, password: nil, storefront: nil)
        ).expectStatus(201)
    }

    /// Three of the sandbox and one of production, in this order.
    private func stock() async throws {
        for name in ["zoe@example.com", "Ada@Example.com", "ada_2@example.org"] {
            try await add(name)
        }
        try await add("ada@example.com", in: .production)
    }

    private func names(_ query: String) async throws -> [String] {
        (try await store.list("/accounts?\(query)") as AccountsBody).accounts.map(\.name)
    }

    private func details(
        _ name: String, in environment: StoreEnvironment = .sandbox
    ) async throws -> AccountDetailsBody {
        try await store.list("/accounts/details?account=\(name)&environment=\(environment)")
    }

    @Test func `accounts are listed as they were made, or the newest first`() async throws {
        try await stock()
        let all = ["zoe@example.com", "Ada@Example.com", "ada_2@example.org", "ada@example.com"]
        #expect(try await names("") == all)
        #expect(try await names("order=newest") == all.reversed())
        #expect(try await names("environment=production") == ["ada@example.com"])
        #expect(try await names("environment=sandbox&order=newest&limit=1") == [all[2]])
    }

    @Test(arguments: ListOrder.allCases)
    func `pages have every account once`(order: ListOrder) async throws {
        try await stock()
        for filter in ["", "&environment=sandbox", "&search=ada"] {
            let path = "/accounts?order=\(order)\(filter)"
            let whole: AccountsBody = try await store.list(path)
            #expect(whole.next == nil && whole.accounts.count > 2)
            for limit in 1...5 {
                let found = try await store.walk(
                    path + "&limit=\(limit)", { (page: AccountsBody) in page.accounts },
                    { $0.next.map { "\($0)" } })
                #expect(found == whole.accounts)
            }
        }
    }

    @Test(arguments: [
        ("ada", ["Ada@Example.com", "ada_2@example.org", "ada@example.com"]),
        ("EXAMPLE.COM", ["zoe@example.com", "Ada@Example.com", "ada@example.com"]),
        ("@example.org", ["ada_2@example.org"]),
        // These mean themselves, not any part or letter.
        ("a%@", []), ("%", []), ("%\u{301}", []), ("a_a", []), ("_2", ["ada_2@example.org"]),
        ("!", []), ("!_", []), ("\\", []),
        ("zoé", []),
    ])
    func `a search finds the names with a part`(part: String, expected: [String]) async throws {
        try await stock()
        #expect(try await names("search=\(part)") == expected)
    }

    @Test func `a search knows the case of A to Z and no other`() async throws {
        for name in ["100%!@example.com", "ZOÉ@example.com"] { try await add(name) }
        #expect(try await names("search=0%!@") == ["100%!@example.com"])
        #expect(try await names("search=zoÉ") == ["ZOÉ@example.com"])
        #expect(try await names("search=zoé") == [])
    }

    @Test(arguments: ListOrder.allCases)
    func `a page looks at so many accounts and goes on`(order: ListOrder) async throws {
        try await stock()
        try store.registry.defaultWorld.database.read { scope in
            let filter = try AccountFilter(request("search=_2"))
            var found: [String] = []
            var place: Int64?
            for _ in 1...4 {
                let page = try scope.accounts(
                    filter, after: place, order, countMax: 9, lookingAt: 1,
                    realNow: TestStore.start)
                found += page.accounts.map(\.account.name)
                place = page.end
                #expect(place != nil)
            }
            #expect(found == ["ada_2@example.org"])
            let last = try scope.accounts(
                filter, after: place, order, countMax: 9, lookingAt: 1, realNow: TestStore.start)
            #expect(last.accounts.isEmpty && last.end == nil)
        }
    }

    @Test func `an account shows its credit, and counts of what it has`() async throws {
        let token = try await store.openProduction()
        let empty = try await details("payer", in: .production)
        #expect(empty.balances.isEmpty && empty.transactions == CountBody(count: 0, isExact: true))
        #expect(empty.devices.count == 1 && empty.account.devicesSignedIn == 1)
        try await store.topUp("20")
        _ = try await store.buy(Samples.fuel, token: token, in: "/production")
        _ = try await store.buy(Samples.turbo, token: token, in: "/production")
        let answer = try await store.control(
            "GET", "/control/v1/accounts/details?account=payer&environment=production")
        try Golden.check(answer.body, "control-account.json")
        let full = try WireJSON.decode(AccountDetailsBody.self, from: answer.body)
        #expect(full.transactions == CountBody(count: 2, isExact: true))
        #expect(full.balances.map(\.milliunits) == [16_020])
        // Nobody else's.
        let other = try await details("buyer")
        #expect(other.transactions.count == 0 && other.devices.count == 0)
        // A device from which it was signed out is still one of its devices.
        try await store.control(
            "POST", "/control/v1/accounts/sign-out",
            body: NamedAccountBody(environment: .production, name: "payer")
        ).expectStatus(200)
        let out = try await details("payer", in: .production)
        #expect(out.devices.count == 1 && out.account.devicesSignedIn == 0)
    }

    @Test func `restored copies are not counted, and waiting purchases are`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        _ = try await store.restore(token: token)
        _ = try await store.attempt(Samples.fuel, simulates: true, token: token)
        let shown = try await details("buyer")
        #expect(shown.transactions.count == 1 && shown.waitingPurchases.count == 1)
    }

    @Test func `a family and its copies are an account's, and subscriptions go by state`()
        async throws
    {
        let family = try await FamilyFixture()
        try await family.family(with: "kid", "aunt")
        _ = try await family.store.buy(FamilyFixture.gold, token: family.mother)
        let path = "/accounts/details?account="
        let mother: AccountDetailsBody = try await family.store.list(path + "buyer")
        #expect(mother.family?.members.map(\.name) == ["buyer", "kid", "aunt"])
        #expect(mother.subscriptions == SubscriptionCountsBody([.active: 1], isExact: true))
        let kid: AccountDetailsBody = try await family.store.list(path + "kid")
        #expect(kid.transactions.count == 1 && kid.subscriptions.active == 0)
        try await family.shop.advance(to: "2027-12-31T10:00:00Z")
        let later: AccountDetailsBody = try await family.store.list(path + "buyer")
        #expect(later.transactions.count > 12)
    }

    @Test func `a count looks at so many rows and says that there may be more`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        for _ in 1...3 { _ = try await store.buy(Samples.fuel, token: token) }
        try store.registry.defaultWorld.database.read { scope in
            let account = try #require(try scope.accountSecret("buyer", in: .sandbox)).account.id
            for (lookedAtMax, expected) in [
                (2, CountBody(count: 2, isExact: false)), (4, CountBody(count: 3, isExact: true)),
            ] {
                let found = try scope.count(
                    AccountCount.sales.statement, [account], lookingAt: lookedAtMax)
                #expect(found == expected)
            }
        }
    }

    @Test func `a deleted account is shown by its pseudonym only`() async throws {
        try await store.stock()
        _ = try await store.buy(Samples.turbo, token: try await store.signIn())
        let answer = try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(name: "buyer", requestId: UUID().uuidString))
        answer.expectStatus(200)
        let gone = try WireJSON.decode(DeletedAccountBody.self, from: answer.body)
        let shown = try await details(gone.account)
        #expect(shown.account.deletedAt == gone.deletedAt && shown.transactions.count == 1)
        #expect(shown.devices.count == 0)
        let found = try await store.refusal("/accounts/details?account=buyer")
        #expect(found.status == 404 && found.code == "accountUnknown")
    }

    @Test func `a transaction that a test deleted is nobody's and counts nowhere`() async throws {
        let session = try await TestSessionFixture()
        let first = try await session.buy(Samples.turbo).transactionId
        #expect(try await session.delete(first).status == 204)
        func answer(_ name: String) async throws -> (Int, [UInt8]) {
            let answer = try await session.store.control(
                "GET", "\(TestSessionFixture.control)/accounts/details?account=\(name)")
            return (answer.status, answer.body)
        }
        let own = try WireJSON.decode(
            AccountDetailsBody.self, from: try await answer("buyer").1)
        #expect(own.transactions == CountBody(count: 0, isExact: true))
        #expect(try await answer("deleted-transaction-\(first)").0 == 404)
    }

    @Test(arguments: [
        ("/accounts?after=x", "after is not a whole number from 0 up."),
        ("/accounts?limit=201", "limit is not a number from 1 to 200."),
        ("/accounts?order=name", "order is not one of oldest, newest."),
        ("/accounts?environment=phone", "environment is not one of production, sandbox."),
        ("/accounts?search=", "search must have 1 to 128 bytes and no control characters."),
        ("/accounts?search=a\u{7}", "search must have 1 to 128 bytes and no control characters."),
        (
            "/accounts?search=\(String(repeating: "a", count: 129))",
            "search must have 1 to 128 bytes and no control characters."
        ),
        ("/accounts/details", "account is missing; name the account."),
        (
            "/accounts/details?account=buyer&environment=phone",
            "environment is not production or sandbox."
        ),
    ])
    func `a bad question is refused with what is wrong`(path: String, sentence: String)
        async throws
    {
        try await store.stock()
        let found = try await store.refusal(path)
        #expect(found.status == 400 && found.code == "badQuery" && found.message == sentence)
    }
}
