import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Credit as the owner shows, gives, takes and redeems it.
struct CreditServiceTests {
    private let store: TestStore
    private static let id = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
    private static let otherID = "0B7A6D0C-54D6-4B38-9B8F-5B0E7B3C9A02"

    init() async throws {
        store = try TestStore()
        try await store.stock(storefront: "DEU")
    }

    private func topUp(
        _ amount: String, id: String = id, name: String = "buyer", currency: String? = nil,
        in environment: StoreEnvironment? = nil
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/accounts/credit/top-up",
            body: TopUpBody(
                environment: environment, name: name, requestId: id, amount: amount,
                currency: currency.flatMap { Currency(code: $0) }))
    }

    private func correct(
        _ amount: String, id: String = otherID, currency: String? = nil,
        reason: String = "It was wrong."
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/accounts/credit/correct",
            body: CorrectCreditBody(
                name: "buyer", requestId: id, amount: amount,
                currency: currency.flatMap { Currency(code: $0) }, reason: reason))
    }

    private func redeem(_ code: String, name: String = "buyer") async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/accounts/credit/redeem",
            body: RedeemGiftCodeBody(name: name, code: code))
    }

    private func makeCode(
        _ amount: String = "25", _ code: String = "EUR", expiresAt: Timestamp? = nil,
        in environment: StoreEnvironment? = nil
    ) async throws -> MadeGiftCodeBody {
        let currency = try #require(Currency(code: code))
        let answer = try await store.control(
            "POST", "/control/v1/gift-codes",
            body: MakeGiftCodeBody(
                environment: environment, amount: amount, currency: currency,
                expiresAt: expiresAt))
        try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(MadeGiftCodeBody.self, from: answer.body)
    }

    private func entry(_ answer: HTTPResponse) throws -> CreditEntryBody {
        try WireJSON.decode(CreditEntryBody.self, from: answer.body)
    }

    private func credit(_ query: String = "account=buyer") async throws -> CreditBody {
        let answer = try await store.control("GET", "/control/v1/accounts/credit?\(query)")
        return try WireJSON.decode(CreditBody.self, from: answer.body)
    }

    private func codes(_ query: String = "") async throws -> GiftCodesBody {
        let answer = try await store.control("GET", "/control/v1/gift-codes\(query)")
        return try WireJSON.decode(GiftCodesBody.self, from: answer.body)
    }

    private func void(_ number: String) async throws -> HTTPResponse {
        try await store.control("DELETE", "/control/v1/gift-codes/\(number)")
    }

    // MARK: - Top-ups and corrections

    @Test func `an account that never had credit has an empty statement`() async throws {
        let shown = try await credit()
        #expect(shown.balances.isEmpty && shown.entries.isEmpty && shown.next == nil)
        #expect(shown.account == "buyer" && shown.environment == .sandbox)
    }

    @Test func `a repeated top-up gets the same answer and is made once`()
        async throws
    {
        let first = try await topUp("10.5")
        #expect(first.status == 200)
        let entered = try entry(first)
        #expect(entered.kind == .topUp && entered.number == 1)
        #expect(entered.amountMilliunits == 10_500 && entered.balanceMilliunits == 10_500)
        #expect(entered.currency == "EUR" && entered.at == TestStore.start)
        store.move(byMilliseconds: 60_000)
        _ = try await topUp("1", id: Self.otherID)
        for again in [
            try await topUp("10.5"), try await topUp("10.50"),
            try await topUp("10.5", currency: "EUR"),
            try await topUp("10.5", id: Self.id.lowercased()),
        ] {
            #expect(again == first)
        }
        let shown = try await credit()
        #expect(shown.balances.map(\.milliunits) == [11_500])
        #expect(shown.entries.map(\.number) == [2, 1])
        #expect(shown.entries.map(\.balanceMilliunits) == [11_500, 10_500])
    }

    @Test func `a request id cannot be reused for another request`() async throws {
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1",
                storefront: "DEU")
        ).expectStatus(201)
        _ = try await topUp("10")
        for answer in [
            try await topUp("11"), try await topUp("10", name: "other"),
            try await topUp("10", currency: "USD"), try await correct("10", id: Self.id),
        ] {
            #expect(answer.status == 409 && errorCode(answer) == "requestIdReused")
        }
        #expect(try await credit().balances.map(\.milliunits) == [10_000])
        #expect(try await credit("account=other").balances.isEmpty)
    }

    @Test func `concurrent top-ups are made once per request id`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<40 {
                let id = index.isMultiple(of: 2) ? Self.id : Self.otherID
                group.addTask { try await topUp("10", id: id).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await credit().balances.map(\.milliunits) == [20_000])
        #expect(try await credit().entries.count == 2)
    }

    @Test func `a correction takes no more than the balance`() async throws {
        _ = try await topUp("10")
        let more = try await correct("-10.001")
        #expect(more.status == 409 && errorCode(more) == "creditTooLow")
        let taken = try await correct("-10")
        #expect(try entry(taken).balanceMilliunits == 0)
        #expect(try entry(taken).amountMilliunits == -10_000)
        #expect(try entry(taken).reason == "It was wrong.")
        #expect(try await correct("-10") == taken)
        #expect(errorCode(try await correct("-10", reason: "Another.")) == "requestIdReused")
        let given = try await correct("3", id: UUID().uuidString)
        #expect(try entry(given).balanceMilliunits == 3_000)
    }

    @Test func `credit left in another currency can be taken away but not added to`()
        async throws
    {
        _ = try await topUp("10")
        try await store.control(
            "POST", "/control/v1/accounts/storefront",
            body: SetStorefrontBody(name: "buyer", storefront: "USA")
        ).expectStatus(200)
        #expect(
            errorCode(try await topUp("1", id: UUID().uuidString, currency: "EUR"))
                == "otherCurrency")
        // The very same request is known, whatever the storefront is by now.
        #expect(try entry(try await topUp("10")).currency == "EUR")
        _ = try await topUp("2", id: UUID().uuidString)
        #expect(errorCode(try await correct("-3")) == "creditTooLow")
        #expect(try await correct("-4", currency: "EUR").status == 200)
        let shown = try await credit()
        #expect(shown.balances.map(\.currency) == ["EUR", "USD"])
        #expect(shown.balances.map(\.milliunits) == [6_000, 2_000])
        #expect(shown.entries.map(\.balanceMilliunits) == [6_000, 2_000, 10_000])
    }

    @Test func `an invalid credit request is refused with a reason and changes nothing`()
        async throws
    {
        let rows: [(HTTPResponse, Int, String)] = [
            (try await topUp("0"), 422, "badField"),
            (try await topUp("0.000"), 422, "badField"),
            (try await topUp("-1"), 422, "badField"),
            (try await topUp("1000000.001"), 422, "badField"),
            (try await topUp("1.0001"), 422, "badField"),
            (try await topUp("1e3"), 422, "badField"),
            (try await topUp(" 1"), 422, "badField"),
            (try await topUp("1", id: "1"), 422, "badField"),
            (try await topUp("1", currency: "USD"), 409, "otherCurrency"),
            (try await topUp("1", name: "nobody"), 404, "accountUnknown"),
            (try await topUp("1", in: .production), 404, "accountUnknown"),
            (try await correct("-0"), 422, "badField"),
            (try await correct("--1"), 422, "badField"),
            (try await correct("-1000000.001"), 422, "badField"),
            (try await correct("+1"), 422, "badField"),
            (try await correct("1", reason: ""), 422, "badField"),
            (try await correct("1", reason: "a\nb"), 422, "badField"),
            (
                try await correct("1", reason: String(repeating: "a", count: 501)), 422,
                "badField"
            ),
            (try await correct("-1"), 409, "creditTooLow"),
            (try await correct("-1", currency: "USD"), 409, "creditTooLow"),
            (try await correct("1", currency: "USD"), 409, "otherCurrency"),
        ]
        for (index, (answer, status, code)) in rows.enumerated() {
            #expect(answer.status == status, "row \(index)")
            #expect(errorCode(answer) == code, "row \(index)")
        }
        #expect(try await credit().entries.isEmpty)
    }

    @Test(arguments: [
        #"{"name":"buyer","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"}"#,
        #"{"name":"buyer","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","amount":10}"#,
        #"{"name":"buyer","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","amount":null}"#,
        #"{"name":"buyer","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","amount":"1","currency":"eur"}"#,
        #"{"name":"buyer","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","amount":"1","currency":"EURO"}"#,
        #"{"name":"buyer","requestId":["a"],"amount":"1"}"#, "[]", "", "null",
    ])
    func `a malformed body is refused with the place of the fault`(body: String) async throws {
        let answer = await store.send(
            "POST", "/control/v1/accounts/credit/top-up", token: TestStore.controlToken,
            body: Array(body.utf8))
        #expect(answer.status == 400 && errorCode(answer) == "badBody")
        #expect(try await credit().entries.isEmpty)
    }

    @Test func `an account's credit is limited`() async throws {
        let limit = CreditRules.creditMilliunitsMax / CreditRules.amountMilliunitsMax
        for _ in 0..<limit {
            try await topUp("1000000", id: UUID().uuidString).expectStatus(200)
        }
        #expect(errorCode(try await topUp("0.001", id: UUID().uuidString)) == "creditLimit")
        let made = try await makeCode()
        #expect(errorCode(try await redeem(made.code)) == "creditLimit")
        #expect(try await codes().giftCodes.map(\.state) == [.open])
    }

    @Test func `an account statement is paged, newest first`() async throws {
        let count = Limits.creditEntriesPerAnswerMax + 3
        for index in 1...count {
            _ = try await topUp("\(index)", id: UUID().uuidString)
        }
        let first = try await credit()
        #expect(first.entries.count == Limits.creditEntriesPerAnswerMax && first.next == 4)
        let second = try await credit("account=buyer&before=4")
        #expect(second.entries.map(\.number) == [3, 2, 1] && second.next == nil)
        #expect(second.entries.map(\.balanceMilliunits) == [6_000, 3_000, 1_000])
        #expect(second.balances == first.balances)
        #expect(
            first.entries.first?.balanceMilliunits == first.balances.first?.milliunits)
        #expect(try await credit("account=buyer&before=0").entries.isEmpty)
    }

    @Test(arguments: [
        ("", 400, "badQuery"), ("environment=sandbox", 400, "badQuery"),
        ("account=buyer&environment=moon", 400, "badQuery"),
        ("account=buyer&before=-1", 400, "badQuery"),
        ("account=buyer&before=9223372036854775808", 400, "badQuery"),
        ("account=nobody", 404, "accountUnknown"),
        ("account=buyer&environment=production", 404, "accountUnknown"),
    ])
    func `a statement request must name an account`(query: String, status: Int, code: String)
        async throws
    {
        let answer = try await store.control("GET", "/control/v1/accounts/credit?\(query)")
        #expect(answer.status == status && errorCode(answer) == code)
    }

    // MARK: - Gift codes

    @Test func `a gift code is shown once, stored as a digest and redeemed once`() async throws {
        let made = try await makeCode("25.5")
        #expect(GiftCode(typed: made.code)?.text == made.code)
        #expect(
            made.number == 1 && made.amountMilliunits == 25_500 && made.madeAt == TestStore.start)
        let kept = try store.registry.defaultWorld.database.read {
            try #require(try $0.row("SELECT digest FROM gift_code")).blob(0)
        }
        #expect(kept.count == 32)
        let typed = made.code.lowercased().replacingOccurrences(of: "-", with: " ")
        let first = try await redeem(typed)
        let entered = try entry(first)
        #expect(first.status == 200 && entered.kind == .giftCode)
        #expect(entered.balanceMilliunits == 25_500 && entered.reference == "giftCode/1")
        store.move(byMilliseconds: 60_000)
        #expect(try await redeem(made.code) == first)
        #expect(try await credit().balances.map(\.milliunits) == [25_500])
        let listed = try #require(try await codes().giftCodes.first)
        #expect(listed.state == .redeemed && listed.redeemedBy == "buyer")
        #expect(listed.redeemedAt == TestStore.start)
        let logged = store.lines.all.joined()
        #expect(!logged.contains(made.code) && !logged.contains(made.code.replacing("-", with: "")))
        #expect(logged.contains("giftCodeRedeemed"))
    }

    @Test func `of many concurrent redemptions of one gift code, one succeeds`() async throws {
        let made = try await makeCode()
        let names = (0..<10).map { "person-\($0)" }
        for name in names {
            try await store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: "rocket-fuel-1",
                    storefront: "DEU")
            ).expectStatus(201)
        }
        let statuses = try await withThrowingTaskGroup(of: (String, Int).self) { group in
            for _ in 0..<3 {
                for name in names {
                    group.addTask { (name, try await redeem(made.code, name: name).status) }
                }
            }
            var found: [String: Set<Int>] = [:]
            for try await (name, status) in group { found[name, default: []].insert(status) }
            return found
        }
        #expect(statuses.values.filter { $0 == [200] }.count == 1)
        #expect(statuses.values.filter { $0 == [409] }.count == 9)
    }

    @Test func `malformed, void, expired and foreign gift codes are refused`() async throws {
        let soon = TestStore.start.adding(milliseconds: 60_000)
        let expiring = try await makeCode(expiresAt: soon)
        let voided = try await makeCode()
        let dollars = try await makeCode("1", "USD")
        let real = try await makeCode(in: .production)
        #expect(try await redeem("0000-0000-0000-0000-0000").status == 404)
        try await void("2").expectStatus(200)
        store.move(byMilliseconds: 60_000)
        let rows: [(String, Int, String)] = [
            ("", 404, "giftCodeUnknown"), ("nonsense", 404, "giftCodeUnknown"),
            (String(repeating: "0", count: 100_000), 404, "giftCodeUnknown"),
            (real.code, 404, "giftCodeUnknown"), (expiring.code, 409, "giftCodeExpired"),
            (voided.code, 409, "giftCodeVoided"), (dollars.code, 409, "otherCurrency"),
        ]
        for (code, status, reason) in rows {
            let answer = try await redeem(code)
            #expect(answer.status == status && errorCode(answer) == reason, "\(reason)")
        }
        #expect(errorCode(try await redeem(dollars.code, name: "nobody")) == "accountUnknown")
        #expect(try await codes().giftCodes.map(\.state) == [.expired, .voided, .open, .open])
        #expect(try await credit().entries.isEmpty)
    }

    @Test func `voiding a gift code is repeatable, but not after it was redeemed`()
        async throws
    {
        let made = try await makeCode()
        _ = try await makeCode()
        let first = try await void("2")
        #expect(first.status == 200)
        store.move(byMilliseconds: 60_000)
        #expect(try await void("2") == first)
        _ = try await redeem(made.code)
        #expect(errorCode(try await void("1")) == "giftCodeRedeemed")
        for number in ["0", "3", "01", "-1", "x", "9223372036854775808"] {
            #expect(errorCode(try await void(number)) == "giftCodeUnknown")
        }
    }

    @Test(arguments: [
        (#"{"amount":"0","currency":"EUR"}"#, 422), (#"{"amount":"-1","currency":"EUR"}"#, 422),
        (#"{"amount":"1","currency":"EUR","expiresAt":1714558830123}"#, 422),
        (#"{"amount":"1","currency":"EUR","expiresAt":253402300799999}"#, 422),
        (#"{"amount":"1"}"#, 400), (#"{"amount":"1","currency":"€"}"#, 400),
        (#"{"amount":"1","currency":"EUR","environment":"moon"}"#, 400),
    ])
    func `an invalid gift code is not created`(body: String, status: Int) async throws {
        let answer = await store.send(
            "POST", "/control/v1/gift-codes", token: TestStore.controlToken,
            body: Array(body.utf8))
        #expect(answer.status == status)
        #expect(try await codes().giftCodes.isEmpty)
    }

    @Test func `gift codes are paged and their number is limited`() async throws {
        let max = Limits.giftCodesMax
        _ = try store.registry.defaultWorld.database.write { scope in
            try scope.execute(
                """
                WITH RECURSIVE n (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < \(max))
                INSERT INTO gift_code (number, environment, digest, milliunits, currency, made_ms)
                SELECT number, 'sandbox', CAST(number AS BLOB), 1, 'USD', 1 FROM n
                """)
        }
        let first = try await codes()
        #expect(first.giftCodes.count == Limits.giftCodesPerAnswerMax)
        #expect(first.next == Int64(Limits.giftCodesPerAnswerMax))
        let last = try await codes("?after=\(max - 1)")
        #expect(last.giftCodes.map(\.number) == [max] && last.next == nil)
        let answer = try await store.control(
            "POST", "/control/v1/gift-codes",
            body: MakeGiftCodeBody(amount: "1", currency: Storefront.default.currency))
        #expect(answer.status == 409 && errorCode(answer) == "tooManyGiftCodes")
    }

    // MARK: - Worlds

    @Test(arguments: [
        ("GET", "accounts/credit?account=buyer"), ("POST", "accounts/credit/top-up"),
        ("POST", "accounts/credit/correct"), ("POST", "accounts/credit/redeem"),
        ("GET", "gift-codes"), ("POST", "gift-codes"), ("DELETE", "gift-codes/1"),
    ])
    func `the credit endpoints accept only the control token`(method: String, path: String)
        async throws
    {
        let device = try await store.signIn()
        for token in ["wrong", device] {
            let answer = await store.send(method, "/control/v1/\(path)", token: token)
            #expect(answer.status == 401)
        }
    }

    @Test func `a restore brings credit and gift codes back, a reset removes them`() async throws {
        let made = try await makeCode()
        _ = try await topUp("10")
        try await store.control(
            "POST", "/control/v1/worlds/default/snapshots", body: MakeSnapshotBody(name: "before")
        ).expectStatus(201)
        _ = try await redeem(made.code)
        _ = try await correct("-3")
        try await store.control(
            "POST", "/control/v1/worlds/default/restore", body: RestoreWorldBody(snapshot: "before")
        ).expectStatus(200)
        #expect(try await credit().balances.map(\.milliunits) == [10_000])
        #expect(try entry(try await redeem(made.code)).balanceMilliunits == 35_000)
        try await store.control(
            "POST", "/control/v1/worlds/default/reset", body: ResetWorldBody(keepCatalogue: true)
        ).expectStatus(200)
        #expect(try await codes().giftCodes.isEmpty)
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "buyer", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        #expect(try await credit().entries.isEmpty)
        #expect(try entry(try await topUp("1")).balanceMilliunits == 1_000)
    }
}
