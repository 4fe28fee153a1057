import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a deletion takes away, what it leaves, and when it is refused.
struct AccountDeletionTests {
    private typealias Fixture = SubscriptionFixture

    private static let username = "5e1f4a52-6d0e-4a7c-9a51-0d6b1b1f2c3d"

    private func delete(
        _ name: String = "buyer", id: String = UUID().uuidString,
        in environment: StoreEnvironment = .sandbox, of store: TestStore
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(environment: environment, name: name, requestId: id))
    }

    private func deleted(_ answer: HTTPResponse) throws -> DeletedAccountBody {
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(DeletedAccountBody.self, from: answer.body)
    }

    private func accounts(_ store: TestStore) async throws -> [AccountBody] {
        let answer = try await store.control("GET", "/control/v1/accounts")
        return try WireJSON.decode(AccountsBody.self, from: answer.body).accounts
    }

    /// Every text that the world's file holds, of every table.
    private func texts(_ store: TestStore) throws -> [String] {
        try store.registry.defaultWorld.database.read { scope in
            let tables: [String] = try scope.values(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            return try tables.flatMap { table in
                let columns: [String] = try scope.values(
                    "SELECT name FROM pragma_table_info('\(table)') WHERE type = 'TEXT'")
                return try columns.flatMap { column -> [String] in
                    try scope.values(
                        "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
                }
            }
        }
    }

    @Test func `a deletion takes the person's data away and keeps the history under a pseudonym`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, username: Self.username, token: token)
        // Not finished by the app.
        let restored = try await store.restore(username: Self.username, token: token)
        #expect(restored.count == 1)
        let values = await store.send(
            "PUT", "/sandbox/device/v1/key-values", token: token,
            body: try WireJSON.encode(
                ChangeKeyValuesBody(
                    requestId: UUID().uuidString, after: 0, isInitial: false,
                    changes: [.init(key: "diary", value: .string("secret-thought"))])))
        #expect(values.status == 200, "\(String(decoding: values.body, as: UTF8.self))")
        let personal = ["buyer", Self.username, TestStore.guid, "secret-thought"]
        for text in personal {
            #expect(try texts(store).contains { $0.contains(text) }, "\(text)")
        }
        let gone = try deleted(try await delete(of: store))
        for text in personal {
            #expect(try !texts(store).contains { $0.contains(text) }, "\(text)")
        }
        let left = try #require(try await accounts(store).first)
        #expect(left.name == gone.account && left.deletedAt == gone.deletedAt)
        #expect(left.devicesSignedIn == 0 && gone.account.hasPrefix("deleted-"))
        let sold: Int64? = try store.registry.defaultWorld.database.read {
            try $0.value("SELECT count(*) FROM store_transaction WHERE charged_milliunits > 0")
        }
        #expect(sold == 1)
        // The session has ended, and the device starts anew.
        #expect(errorCode(try await store.attempt(Samples.fuel, token: token)) == "tokenUnknown")
        let again = try await store.register()
        let refused = await store.send(
            "POST", "/sandbox/device/v1/sign-in", token: again,
            body: try WireJSON.encode(SignInBody(account: "buyer", password: "rocket-fuel-1")))
        #expect(errorCode(refused) == "passwordWrong")
    }

    @Test func `a repeated deletion gets the same answer, even when the name is in use again`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let id = UUID().uuidString
        let first = try deleted(try await delete(id: id, of: store))
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "buyer", password: "rocket-fuel-2", storefront: nil)
        ).expectStatus(201)
        #expect(try deleted(try await delete(id: id.lowercased(), of: store)) == first)
        #expect(
            try await accounts(store).map(\.name).sorted() == ["buyer", first.account].sorted())
        // The id alone does not name another account's deletion.
        #expect(errorCode(try await delete("stranger", id: id, of: store)) == "accountUnknown")
        #expect(errorCode(try await delete(first.account, of: store)) == "accountUnknown")
        #expect(errorCode(try await delete(id: "one", of: store)) == "badField")
        let other = try deleted(try await delete(of: store))
        #expect(other.account != first.account)
    }

    @Test func `receipts of a deleted account get 21010 in both styles, others stay valid`()
        async throws
    {
        let shop = try await Fixture()
        let (store, token) = (shop.store, shop.token)
        let bought = try await shop.buy()
        let receipt = try await store.receipt(token: token)
        let old = await store.send(
            "POST", "/sandbox/device/v1/transaction-receipts", token: token,
            body: try WireJSON.encode(
                TransactionReceiptsRequestBody(transactionIds: [bought.transactionId])))
        let text = try #require(
            try WireJSON.decode(TransactionReceiptsAnswerBody.self, from: old.body).receipts.first?
                .receipt)
        func status(_ data: String, password: String? = shop.secret) async -> String {
            let secret = password.map { #","password":"\#($0)""# } ?? ""
            let answer = await store.send(
                "POST", "/sandbox/verifyReceipt",
                body: Array(#"{"receipt-data":"\#(data)"\#(secret)}"#.utf8))
            return String(decoding: answer.body, as: UTF8.self)
        }
        let unified = Data(receipt).base64EncodedString()
        for data in [unified, text] {
            #expect(await status(data).contains(#""status":0"#))
        }
        _ = try deleted(try await delete(of: store))
        for data in [unified, text] {
            #expect(await status(data) == #"{"status":21010}"#)
            #expect(await status(data, password: nil) == #"{"status":21004}"#)
        }
    }

    @Test func `renewals end with the account, and nothing begins them again`() async throws {
        let shop = try await Fixture()
        let bought = try await shop.buy()
        let id = bought.transactionId
        _ = try deleted(try await delete(of: shop.store))
        #expect(try await shop.show(id).state == .expired)
        try await shop.advance(to: "2026-04-01T10:00:00Z")
        #expect(try shop.periods().count == 1)
        for (verb, body) in [
            ("resume", nil), ("renew", nil), ("win-back", TakeWinBackBody(offerId: "any")),
        ] as [(String, (any Encodable)?)] {
            let answer = try await shop.store.control(
                "POST", "/control/v1/subscriptions/\(id)/\(verb)", body: body)
            #expect([404, 409].contains(answer.status), "\(verb)")
        }
        let refund = try await shop.store.control(
            "POST", "/control/v1/refunds/\(id)/request", body: RequestRefundBody(reason: .other))
        #expect(errorCode(refund) == "accountDeleted")
    }

    @Test func `purchases that wait for somebody are declined with the account`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        for (approval, interrupts) in [(true, false), (false, true)] {
            let set = try await store.control(
                "POST", "/control/v1/accounts/settings",
                body: AccountSettingsBody(
                    name: "buyer", needsApproval: approval, interruptsPurchases: interrupts))
            #expect(set.status == 200)
            #expect(try await store.attempt(Samples.fuel, token: token).status == 200)
        }
        _ = try deleted(try await delete(of: store))
        let late = try await store.control("POST", "/control/v1/approvals/1/approve")
        #expect(errorCode(late) == "approvalAnswered")
        let (open, sold): (Int64?, Int64?) = try store.registry.defaultWorld.database.read {
            (
                try $0.value("SELECT count(*) FROM attempt WHERE state <> 'refused'"),
                try $0.value("SELECT count(*) FROM store_transaction")
            )
        }
        #expect(open == 0 && sold == 0)
    }

    @Test func `a family, an undecided refund and an open payment are settled first`() async throws
    {
        let family = try await FamilyFixture()
        let made = try await family.store.control(
            "POST", "/control/v1/families", body: MakeFamilyBody(organiser: "buyer"))
        #expect(made.status == 201 || made.status == 200)
        _ = try await family.store.control(
            "POST", "/control/v1/families/1/add", body: FamilyMemberNameBody(name: "kid"))
        for name in ["buyer", "kid"] {
            #expect(errorCode(try await delete(name, of: family.store)) == "inFamily")
        }
        _ = try await family.store.control("DELETE", "/control/v1/families/1")
        let bought = try await family.store.buy(Samples.turbo, token: family.kid)
        let path = "/control/v1/refunds/\(bought.transactionId)"
        _ = try await family.store.control(
            "POST", "\(path)/request", body: RequestRefundBody(reason: .other))
        #expect(errorCode(try await delete("kid", of: family.store)) == "refundOpen")
        #expect(try await family.store.control("POST", "\(path)/decline").status == 200)
        _ = try deleted(try await delete("kid", of: family.store))

        let provided = try await ProviderShop()
        let silver = try await provided.buy()
        provided.provider.hold()
        async let gold = provided.attempt(Fixture.gold)
        try await provided.store.until { provided.provider.asked.last?.hasPrefix("auth") == true }
        let refused = try await delete("payer", in: .production, of: provided.store)
        #expect(errorCode(refused) == "paymentPending")
        provided.provider.letGo()
        #expect(try await gold.state == .done)
        try await provided.store.settlePayments()
        let before = try provided.store.ledger()
        _ = try deleted(try await delete("payer", in: .production, of: provided.store))
        #expect(try provided.store.ledger() == before)
        #expect(try await provided.shop.show(silver).state == .expired)
        #expect(try provided.store.ledgerFinding().state == .good)
    }

    @Test func `a deleted account's credit stays in the ledger and can only be taken`()
        async throws
    {
        let store = try TestStore()
        _ = try await store.openProduction()
        try await store.topUp("10")
        let gone = try deleted(try await delete("payer", in: .production, of: store))
        #expect(gone.balances.map(\.milliunits) == [10_000])
        func credit(_ amount: String) async throws -> HTTPResponse {
            let isTaken = amount.hasPrefix("-")
            let id = UUID().uuidString
            return isTaken
                ? try await store.control(
                    "POST", "/control/v1/accounts/credit/correct",
                    body: CorrectCreditBody(
                        environment: .production, name: gone.account, requestId: id,
                        amount: amount, currency: nil, reason: "Paid out by hand."))
                : try await store.control(
                    "POST", "/control/v1/accounts/credit/top-up",
                    body: TopUpBody(
                        environment: .production, name: gone.account, requestId: id,
                        amount: amount))
        }
        #expect(errorCode(try await credit("5")) == "accountUnknown")
        #expect(try await credit("-10").status == 200)
        let shown = try await store.control(
            "GET", "/control/v1/accounts/credit?account=\(gone.account)&environment=production")
        #expect(try WireJSON.decode(CreditBody.self, from: shown.body).entries.count == 2)
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a device that another account uses keeps its identifier and its session`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        try await store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil)
        ).expectStatus(201)
        let first = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: first)
        let second = try await store.signIn(account: "other")
        _ = try await store.buy(Samples.fuel, token: second)
        _ = try deleted(try await delete(of: store))
        #expect(try texts(store).contains(TestStore.guid))
        _ = try await store.buy(Samples.fuel, token: second)
        let receipt = try await store.receipt(token: second)
        #expect(try await store.verify(receipt)["status"] == .integer(0))
    }
}
