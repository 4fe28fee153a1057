import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases that somebody approves, or that were interrupted.
struct WaitingPurchaseTests {
    private let store: TestStore
    private let shop: ShopFixture

    init() throws {
        shop = try ShopFixture()
        store = shop.store
    }

    private func set(approval: Bool? = nil, interrupts: Bool? = nil) async throws {
        let answer = try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                name: "buyer", needsApproval: approval, interruptsPurchases: interrupts))
        #expect(answer.status == 200)
        let body = try WireJSON.decode(AccountBody.self, from: answer.body)
        if let approval { #expect(body.needsApproval == approval) }
        if let interrupts { #expect(body.interruptsPurchases == interrupts) }
    }

    private func state(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        #expect(response.status == 200)
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func pending() async throws -> [ApprovalBody] {
        let answer = try await store.control("GET", "/control/v1/approvals")
        return try WireJSON.decode(ApprovalsBody.self, from: answer.body).approvals
    }

    private func answer(_ verb: String, _ number: Int64 = 1) async throws -> HTTPResponse {
        try await store.control("POST", "/control/v1/approvals/\(number)/\(verb)")
    }

    private func answered(_ verb: String, _ number: Int64 = 1) async throws -> ApprovalBody {
        let answer = try await answer(verb, number)
        #expect(answer.status == 200)
        return try WireJSON.decode(ApprovalBody.self, from: answer.body)
    }

    private func resolve() async throws -> [ResolvedPurchaseBody] {
        let answer = try await store.control(
            "POST", "/control/v1/accounts/resolve", body: NamedAccountBody(name: "buyer"))
        #expect(answer.status == 200)
        return try WireJSON.decode(ResolvedPurchasesBody.self, from: answer.body).purchases
    }

    private func rows(_ sql: String) throws -> Int64 {
        try store.registry.defaultWorld.database.read { try $0.row(sql)?.integer(0) ?? -1 }
    }

    private func updates(token: String) async throws -> UpdatesBody {
        let answer = await store.send("GET", "/sandbox/device/v1/updates?after=0", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body)
    }

    // MARK: - Ask to Buy

    @Test func `a purchase awaiting approval is stored, but in no receipt or list`() async throws {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        let before = try await store.receipt(token: token)
        let id = UUID().uuidString
        for _ in 0..<2 {
            let asked = try await state(
                store.attempt(Samples.fuel, id: id, quantity: 2, username: "u", token: token))
            #expect(asked.state == .deferred)
            #expect(asked.transaction == nil && asked.refusal == nil)
        }
        #expect(try rows("SELECT count(*) FROM waiting_purchase") == 1)
        #expect(try rows("SELECT count(*) FROM event") == 0)
        #expect(try await store.receipt(token: token) == before)
        let request = try #require(try await pending().first)
        #expect(request.state == .pending)
        #expect(request.account == "buyer" && request.bundleId == TestStore.bundleID)
        #expect(request.productId == Samples.fuel && request.quantity == 2)
        #expect(request.priceMilliunits == 1_980 && request.currency == "USD")
        #expect(request.askedAt == TestStore.start)
    }

    @Test func `a repeated approval buys once and is reported to every device`()
        async throws
    {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        let other = try await store.signIn(guid: UUID().uuidString)
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, username: "u", token: token)
        store.move(byMilliseconds: 366 * 86_400_000)
        let first = try await answered("approve")
        #expect(first.state == .approved)
        #expect(try await answered("approve") == first)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
        #expect(try rows("SELECT sum(charged_milliunits) FROM store_transaction") == 990)
        #expect(try await pending().isEmpty)
        let news = try await updates(token: other)
        #expect(news.events.map(\.kind) == [.purchased])
        #expect(news.receiptRevision == 1)
        let bought = try #require(news.events.first?.transaction)
        #expect(bought.transactionId == first.transactionId)
        #expect(bought.attemptId == id && bought.deviceGuid == TestStore.guid)
        #expect(bought.applicationUsername == "u")
        #expect(bought.purchaseDate == TestStore.start.adding(milliseconds: 366 * 86_400_000))
        let again = try await state(
            store.attempt(Samples.fuel, id: id, username: "u", token: token))
        #expect(again.state == .done && again.transaction == bought)
    }

    @Test func `a declined purchase stays declined, also for the device that asks again`()
        async throws
    {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, token: token)
        let first = try await answered("decline")
        #expect(first.state == .declined && first.refusal?.code == .declined)
        #expect(try await answered("decline") == first)
        let late = try await answer("approve")
        #expect(late.status == 409 && errorCode(late) == "approvalAnswered")
        #expect(try rows("SELECT count(*) FROM store_transaction") == 0)
        let news = try await updates(token: token).events
        #expect(news.map(\.kind) == [.declined])
        #expect(news.map(\.subject) == [id] && news.first?.transaction == nil)
        let again = try await state(store.attempt(Samples.fuel, id: id, token: token))
        #expect(again.state == .refused && again.refusal?.code == .declined)
    }

    @Test func `an approved purchase cannot be declined`() async throws {
        try await store.stock()
        try await set(approval: true)
        _ = try await store.attempt(Samples.fuel, token: try await store.signIn())
        _ = try await answered("approve")
        #expect(try await answer("decline").status == 409)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
        #expect(try rows("SELECT count(*) FROM event") == 1)
    }

    @Test func `the rules at the time of approval decide`() async throws {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        _ = try await store.attempt(Samples.fuel, token: token)
        _ = try await shop.set(Samples.fuel, .removedFromSale)
        #expect(try await pending().first?.priceMilliunits == nil)
        let refused = try await answered("approve")
        #expect(refused.state == .refused && refused.refusal?.code == .productNotForSale)
        #expect(try await answered("approve") == refused)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 0)
        #expect(try await updates(token: token).events.map(\.kind) == [.declined])
    }

    @Test func `a deferred purchase outlives the account's setting and delays no other purchase`()
        async throws
    {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        _ = try await store.attempt(Samples.fuel, token: token)
        try await set(approval: false)
        #expect(try await state(store.attempt(Samples.fuel, token: token)).state == .done)
        #expect(try await pending().count == 1)
        #expect(try await answered("approve").state == .approved)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 2)
    }

    @Test func `of two deferred purchases of a non-consumable, the second is free`() async throws {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        _ = try await store.attempt(Samples.turbo, token: token)
        _ = try await store.attempt(Samples.turbo, token: token)
        _ = try await answered("approve", 2)
        _ = try await answered("approve", 1)
        #expect(try rows("SELECT sum(charged_milliunits) FROM store_transaction") == 2_990)
        #expect(try rows("SELECT count(DISTINCT original_id) FROM store_transaction") == 1)
    }

    @Test func `a sandbox payment can request approval by itself`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        let asked = try await state(
            store.attempt(Samples.fuel, id: id, simulates: true, token: token))
        #expect(asked.state == .deferred)
        let other = try await store.attempt(Samples.fuel, id: id, token: token)
        #expect(other.status == 409 && errorCode(other) == "attemptIdReused")
    }

    @Test func `another account can neither see nor take over a deferred purchase`() async throws {
        try await store.stock()
        _ = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        try await set(approval: true)
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, token: try await store.signIn())
        let other = try await store.signIn(account: "other")
        #expect(try await store.attempt(Samples.fuel, id: id, token: other).status == 409)
        _ = try await answered("decline")
        #expect(try await updates(token: other).events.isEmpty)
        for path in ["approvals", "approvals/1/approve", "approvals/1/decline"] {
            let method = path == "approvals" ? "GET" : "POST"
            let answer = await store.send(method, "/control/v1/\(path)", token: other)
            #expect(answer.status == 401)
        }
    }

    @Test(arguments: ["0", "2", "-1", "x", "1x", "01", "9223372036854775808"])
    func `an unknown approval number is refused`(number: String) async throws {
        try await store.stock()
        try await set(approval: true)
        _ = try await store.attempt(Samples.fuel, token: try await store.signIn())
        let answer = try await store.control("POST", "/control/v1/approvals/\(number)/approve")
        #expect(answer.status == 404 && errorCode(answer) == "approvalUnknown")
        #expect(try await pending().count == 1)
    }

    @Test func `concurrent approvals buy once`() async throws {
        try await store.stock()
        try await set(approval: true)
        _ = try await store.attempt(Samples.fuel, token: try await store.signIn())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<32 {
                group.addTask {
                    try await answer(number.isMultiple(of: 2) ? "approve" : "decline").status
                }
            }
            var statuses: [Int] = []
            for try await status in group { statuses.append(status) }
            #expect(statuses.filter { $0 == 200 }.count == 16)
            #expect(statuses.filter { $0 == 409 }.count == 16)
        }
        #expect(try rows("SELECT count(*) FROM event") == 1)
        #expect(try rows("SELECT count(*) FROM store_transaction") <= 1)
    }

    @Test func `the number of deferred purchases is limited`() async throws {
        try await store.stock()
        try await set(approval: true)
        let token = try await store.signIn()
        for _ in 0..<PurchaseRules.waitingMax {
            #expect(try await state(store.attempt(Samples.fuel, token: token)).state == .deferred)
        }
        let refused = try await state(store.attempt(Samples.fuel, token: token))
        #expect(refused.refusal?.code == .tooManyWaiting)
        #expect(try await pending().count == PurchaseRules.waitingMax)
    }

    // MARK: - Interrupted purchases

    @Test func `an interrupted purchase is made once when it is resolved`() async throws {
        try await store.stock()
        try await set(interrupts: true)
        let token = try await store.signIn()
        let id = UUID().uuidString
        for _ in 0..<2 {
            let stopped = try await state(store.attempt(Samples.fuel, id: id, token: token))
            #expect(stopped.state == .interrupted && stopped.transaction == nil)
        }
        #expect(try await pending().isEmpty)
        #expect(try await answer("approve").status == 404)
        let resolved = try await resolve()
        #expect(resolved.map(\.attemptId) == [id])
        let bought = try #require(resolved.first?.transactionId)
        #expect(try await resolve().isEmpty)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 1)
        let news = try await updates(token: token)
        #expect(news.events.map(\.kind) == [.purchased])
        #expect(news.events.first?.transaction?.transactionId == bought)
        let after = try await state(store.attempt(Samples.fuel, id: id, token: token))
        #expect(after.transaction?.transactionId == bought)
        // The setting stays until it is taken back.
        #expect(try await state(store.attempt(Samples.fuel, token: token)).state == .interrupted)
    }

    @Test func `resolving an interrupted purchase buys nothing that is off sale`() async throws {
        try await store.stock()
        try await set(interrupts: true)
        _ = try await store.attempt(Samples.fuel, token: try await store.signIn())
        _ = try await shop.set(Samples.fuel, .removedFromSale)
        #expect(try await resolve().map(\.refusal?.code) == [.productNotForSale])
        #expect(try await resolve().isEmpty)
        #expect(try rows("SELECT count(*) FROM store_transaction") == 0)
        #expect(try rows("SELECT count(*) FROM event") == 0)
    }

    @Test(
        arguments: [
            (true, 990, nil), (true, nil, 1_990), (false, 990, 1_990),
        ] as [(Bool, Int64?, Int64?)])
    func `an interrupted purchase is bought at the price shown or not at all`(
        interrupts: Bool, shown: Int64?, charged: Int64?
    ) async throws {
        try await store.stock()
        try await set(approval: !interrupts, interrupts: interrupts)
        let token = try await store.signIn()
        let id = UUID().uuidString
        func post() async throws -> AttemptAnswerBody {
            try await state(
                store.attempt(
                    Samples.fuel, id: id, shown: shown, currency: shown.map { _ in "USD" },
                    token: token))
        }
        #expect(try await post().state == (interrupts ? .interrupted : .deferred))
        let raised = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/prices/USA", body: PriceBody(price: "1.99"))
        #expect(raised.status == 200)
        if interrupts {
            let resolved = try await resolve()
            #expect(resolved.map(\.refusal?.code) == [charged == nil ? .priceChanged : nil])
        } else {
            // Who approves it has seen the new price.
            #expect(try await pending().first?.priceMilliunits == 1_990)
            #expect(try await answered("approve").state == .approved)
        }
        #expect(
            try rows("SELECT coalesce(sum(charged_milliunits), 0) FROM store_transaction")
                == charged ?? 0)
        #expect(try await post().refusal?.code == (charged == nil ? .priceChanged : nil))
    }

    @Test func `an unknown account has no settings`() async throws {
        let body = AccountSettingsBody(name: "nobody", needsApproval: true)
        let answer = try await store.control("POST", "/control/v1/accounts/settings", body: body)
        #expect(answer.status == 404 && errorCode(answer) == "accountUnknown")
        let resolved = try await store.control(
            "POST", "/control/v1/accounts/resolve", body: NamedAccountBody(name: "nobody"))
        #expect(resolved.status == 404)
    }

    @Test func `an account can require approval from its creation`() async throws {
        let made = try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "child", password: "rocket-fuel-1", storefront: nil,
                needsApproval: true))
        #expect(try WireJSON.decode(AccountBody.self, from: made.body).needsApproval)
    }

    // MARK: - The price on the sheet

    @Test func `a price other than the one shown is refused for good and sells nothing`()
        async throws
    {
        try await store.stock()
        let token = try await store.signIn()
        let id = UUID().uuidString
        for _ in 0..<2 {
            let answer = try await state(
                store.attempt(Samples.fuel, id: id, shown: 980, currency: "USD", token: token))
            #expect(answer.refusal?.code == .priceChanged)
        }
        #expect(try rows("SELECT count(*) FROM store_transaction") == 0)
        let other = try await store.attempt(
            Samples.fuel, id: id, shown: 990, currency: "USD", token: token)
        #expect(other.status == 409)
        let bought = try await state(
            store.attempt(Samples.fuel, shown: 990, currency: "USD", token: token))
        #expect(bought.state == .done)
        #expect(try rows("SELECT sum(charged_milliunits) FROM store_transaction") == 990)
    }

    @Test(
        arguments: [
            (990, nil), (nil, "USD"), (-1, "USD"), (990, "usd"), (990, "US"), (990, ""),
        ] as [(Int64?, String?)])
    func `a shown price without a valid amount and currency is refused`(
        shown: Int64?, currency: String?
    ) async throws {
        try await store.stock()
        let token = try await store.signIn()
        let answer = try await store.attempt(
            Samples.fuel, shown: shown, currency: currency, token: token)
        #expect(answer.status == 422 && errorCode(answer) == "badField")
        #expect(try rows("SELECT count(*) FROM attempt") == 0)
    }

    @Test func `an attempt without the later fields keeps its digest`() throws {
        let request = PurchaseRequest(
            attempt: AttemptID("A"), product: ProductID("p"), quantity: 1,
            applicationUsername: nil)
        // SHA-256 of "p", "1" and 0x01, with zeros between, as it was before.
        #expect(
            request.digest.map { String(format: "%02x", $0) }.joined()
                == "76e16546acf5963a6865d5a80a5191ff302f6b1db4f3ca028e26129ba633c6c8")
    }
}
