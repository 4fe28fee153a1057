import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's view of the ledger.
struct LedgerListTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    /// A top-up, two charges and a refund of a real account, and a correction of a test account.
    private func happen() async throws {
        let token = try await store.openProduction()
        try await store.topUp("20")
        let fuel = try await store.buy(Samples.fuel, token: token, in: "/production")
        _ = try await store.buy(Samples.turbo, token: token, in: "/production")
        try await store.control(
            "POST", "/control/v1/transactions/\(fuel.transactionId)/revoke",
            body: RevokeBody(reason: .issue)
        ).expectStatus(200)
        try await store.control(
            "POST", "/control/v1/accounts/credit/correct",
            body: CorrectCreditBody(
                name: "buyer", requestId: UUID().uuidString, amount: "1.50", reason: "A gift.")
        ).expectStatus(200)
    }

    private func kinds(_ query: String) async throws -> [String] {
        (try await store.list("/ledger/entries?\(query)") as LedgerEntriesBody).entries
            .map(\.kind.rawValue)
    }

    private func accounts(_ query: String = "") async throws -> [LedgerAccountBody] {
        (try await store.list("/ledger/accounts?\(query)") as LedgerAccountsBody).accounts
    }

    @Test func `entries are listed with their postings, which sum to nothing`() async throws {
        try await happen()
        let answer = try await store.control("GET", "/control/v1/ledger/entries")
        let body = try WireJSON.decode(LedgerEntriesBody.self, from: answer.body)
        // Requests have random numbers.
        var text = String(decoding: answer.body, as: UTF8.self)
        for entry in body.entries where entry.reference.hasPrefix("request/") {
            text = text.replacing(entry.reference, with: "request/…")
        }
        try Golden.check(Array(text.utf8), "control-ledger-entries.json")
        #expect(body.entries.map(\.number) == [1, 2, 3, 4, 5] && body.next == nil)
        for entry in body.entries {
            #expect(entry.postings.reduce(0) { $0 + $1.milliunits } == 0)
            #expect((entry.transactionId != nil) == [.charge, .refund].contains(entry.kind))
            #expect((entry.reason != nil) == (entry.kind == .correction))
        }
    }

    @Test func `filters and orders leave what they name, on every page once`() async throws {
        try await happen()
        let all = ["topUp", "charge", "charge", "refund", "correction"]
        #expect(try await kinds("") == all)
        #expect(try await kinds("order=newest") == all.reversed())
        #expect(try await kinds("account=buyer") == ["correction"])
        #expect(try await kinds("account=payer&environment=production") == Array(all.prefix(4)))
        #expect(try await kinds("environment=sandbox") == ["correction"])
        #expect(try await kinds("kind=charge") == ["charge", "charge"])
        #expect(try await kinds("developer=default") == ["charge", "charge", "refund"])
        #expect(try await kinds("developer=default&kind=refund&account=buyer") == [])
        for order in ListOrder.allCases {
            for filter in ["", "&developer=default", "&account=payer&environment=production"] {
                let path = "/ledger/entries?order=\(order)\(filter)"
                let whole: LedgerEntriesBody = try await store.list(path)
                for limit in 1...6 {
                    let found = try await store.walk(
                        path + "&limit=\(limit)",
                        { (page: LedgerEntriesBody) in page.entries },
                        { $0.next.map { "\($0)" } })
                    #expect(found == whole.entries)
                }
            }
        }
    }

    @Test(arguments: ListOrder.allCases)
    func `a page looks at so many entries and goes on`(order: ListOrder) async throws {
        try await happen()
        try store.registry.defaultWorld.database.read { scope in
            let filter = try LedgerFilter(request("kind=correction"), scope)
            var found: [Int64] = []
            var place: Int64?
            for _ in 1...5 {
                let page = try scope.ledgerEntries(
                    filter, after: place, order, countMax: 9, lookingAt: 1)
                found += page.entries.map(\.number.rawValue)
                place = page.end
                #expect(place != nil)
            }
            #expect(found == [5])
            let last = try scope.ledgerEntries(
                filter, after: place, order, countMax: 9, lookingAt: 1)
            #expect(last.entries.isEmpty && last.end == nil)
        }
    }

    @Test func `accounts hold what was posted, customers last, and sum to nothing`() async throws {
        #expect(try await accounts().isEmpty)
        try await happen()
        let answer = try await store.control("GET", "/control/v1/ledger/accounts")
        try Golden.check(answer.body, "control-ledger-accounts.json")
        let found = try await accounts()
        #expect(found.map(\.holder) == ["developer", "funding", "customer", "customer"])
        #expect(found.map(\.milliunits) == [2_990, -21_500, 1_500, 17_010])
        #expect(found.map(\.name) == ["default", nil, "buyer", "payer"])
        #expect(found.map(\.environment) == [nil, nil, .sandbox, .production])
        #expect(found.reduce(0) { $0 + $1.milliunits } == 0)
    }

    @Test func `each currency is an account of its own, and pages have every one once`()
        async throws
    {
        try await happen()
        try await store.control(
            "POST", "/control/v1/accounts/storefront",
            body: SetStorefrontBody(environment: .production, name: "payer", storefront: "DEU")
        ).expectStatus(200)
        try await store.topUp("5")
        let whole = try await accounts()
        #expect(
            whole.map { "\($0.holder) \($0.currency) \($0.milliunits)" } == [
                "developer USD 2990", "funding EUR -5000", "funding USD -21500",
                "customer USD 1500", "customer EUR 5000", "customer USD 17010",
            ])
        for limit in 1...7 {
            let found = try await store.walk(
                "/ledger/accounts?limit=\(limit)",
                { (page: LedgerAccountsBody) in page.accounts }, \.next)
            #expect(found == whole)
        }
        for holder in LedgerAccount.Kind.allCases {
            let path = "/ledger/accounts?holder=\(holder)&limit=1"
            let found = try await store.walk(
                path, { (page: LedgerAccountsBody) in page.accounts }, \.next)
            #expect(found == whole.filter { $0.holder == holder.rawValue })
        }
    }

    @Test func `a deleted account's entries go under its pseudonym`() async throws {
        try await happen()
        let answer = try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(name: "buyer", requestId: UUID().uuidString))
        let gone = try WireJSON.decode(DeletedAccountBody.self, from: answer.body)
        #expect(try await kinds("account=\(gone.account)") == ["correction"])
        #expect(try await accounts("holder=customer").map(\.name) == [gone.account, "payer"])
    }

    @Test(arguments: [
        ("/ledger/entries?after=-1", "after is not a whole number from 0 up."),
        ("/ledger/entries?limit=201", "limit is not a number from 1 to 200."),
        ("/ledger/entries?order=last", "order is not one of oldest, newest."),
        ("/ledger/entries?environment=all", "environment is not one of production, sandbox."),
        (
            "/ledger/entries?kind=sale",
            "kind is not one of "
                + "\(LedgerEntryKind.allCases.map(\.rawValue).joined(separator: ", "))."
        ),
        ("/ledger/accounts?limit=0", "limit is not a number from 1 to 200."),
        (
            "/ledger/accounts?holder=bank",
            "holder is not one of customer, developer, giftCodes, funding, provider."
        ),
        ("/ledger/accounts?after=1", "after is not a place that an earlier page gave, nor 0."),
        (
            "/ledger/accounts?after=bank-1-USD",
            "after is not a place that an earlier page gave, nor 0."
        ),
    ])
    func `a bad question is refused with what is wrong`(path: String, sentence: String)
        async throws
    {
        try await happen()
        let found = try await store.refusal(path)
        #expect(found.status == 400 && found.code == "badQuery" && found.message == sentence)
    }

    @Test func `unknown names are not found`() async throws {
        try await happen()
        #expect(try await store.refusal("/ledger/entries?account=payer").code == "accountUnknown")
        #expect(
            try await store.refusal("/ledger/entries?developer=nobody").code == "developerUnknown")
    }
}
