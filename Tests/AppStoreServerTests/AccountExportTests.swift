import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What a customer gets who asks for their data.
struct AccountExportTests {
    /// Tables that belong to an account and hold nothing about its person beyond what is exported.
    private static let leftOut: Set<String> = [
        // Counters, and digests of requests, for devices that ask again.
        "receipt_revision", "key_value_revision", "key_value_request",
        // The transactions once more, signed, and when they were sent to the app's server.
        "notification_text", "notification_attempt",
    ]

    private func read<Value>(
        _ store: TestStore, _ body: (borrowing ReadScope) throws -> Value
    ) throws -> Value {
        try store.registry.defaultWorld.database.read(body)
    }

    @Test func `every table that belongs to accounts is exported, or left out for a reason`()
        throws
    {
        let store = try TestStore()
        let tables = try read(store) { scope in
            try scope.rows(
                """
                WITH RECURSIVE reference AS MATERIALIZED (
                    SELECT DISTINCT m.name AS owned, k."table" AS owner
                    FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS k
                    WHERE m.type = 'table'),
                found (name) AS (
                    SELECT DISTINCT m.name FROM sqlite_schema AS m
                    JOIN pragma_table_info(m.name) AS c
                    WHERE m.type = 'table' AND c.name = 'account_id'
                    UNION SELECT 'account'
                    UNION SELECT owned FROM found JOIN reference ON owner = found.name)
                SELECT name FROM found
                """
            ).map { $0.text(0) }
        }
        let exported = AccountExport.parts.reduce(into: Set<String>()) { $0.formUnion($1.tables) }
        #expect(Set(tables) == exported.union(Self.leftOut))
    }

    @Test(arguments: AccountExport.parts.map(\.name))
    func `a part is read along an index`(name: String) throws {
        let store = try TestStore()
        let part = try #require(AccountExport.parts.first { $0.name == name })
        let plan = try read(store) { scope in
            try scope.rows("EXPLAIN QUERY PLAN \(part.sql)", [.integer(1)]).map { $0.text(3) }
        }
        // The apps of a world are few.
        let scans = plan.filter { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN app") }
        #expect(scans == [], "\(plan)")
    }

    @Test func `an export has what was bought and nothing secret, and less after deletion`()
        async throws
    {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buy("com.example.rocketcar.fuel", token: token)
        let made = try await store.control(
            "POST", "/control/v1/gift-codes",
            body: MakeGiftCodeBody(
                amount: "5", currency: try #require(Currency(code: "USD"))))
        let code = try WireJSON.decode(MadeGiftCodeBody.self, from: made.body).code
        let redeemed = try await store.control(
            "POST", "/control/v1/accounts/credit/redeem",
            body: RedeemGiftCodeBody(name: "buyer", code: code))
        #expect(redeemed.status == 200)
        let before = try await export(store, "buyer")
        #expect(before["account"]?.array?.first?["name"]?.string == "buyer")
        #expect(before["transactions"]?.array?.count == 1)
        #expect(before["devices"]?.array?.count == 1)
        #expect(before["sessions"]?.array?.count == 1)
        #expect(before["giftCodes"]?.array?.first?["milliunits"]?.integer == 5_000)
        let text = String(decoding: before.compactBytes, as: UTF8.self)
        #expect(!text.contains("scrypt") && !text.contains(token))
        let deleted = try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(name: "buyer", requestId: TestStore.guid))
        let pseudonym = try WireJSON.decode(DeletedAccountBody.self, from: deleted.body).account
        let after = try await export(store, pseudonym)
        #expect(after["transactions"]?.array?.count == 1, "the history stays")
        #expect(after["sessions"]?.array == [])
        #expect(!String(decoding: after.compactBytes, as: UTF8.self).contains("\"buyer\""))
        let gone = try await store.control(
            "GET", "/control/v1/accounts/export?account=buyer")
        #expect(gone.status == 404)
    }

    private func export(_ store: TestStore, _ account: String) async throws -> JSONValue {
        let answer = try await store.control(
            "GET", "/control/v1/accounts/export?account=\(account)")
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONValue(parsing: answer.body)
    }
}
