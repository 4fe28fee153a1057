import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases in production, which store credit pays: every entry of the ledger.
struct PaidPurchaseTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func state(_ response: HTTPResponse) throws -> AttemptAnswerBody {
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try WireJSON.decode(AttemptAnswerBody.self, from: response.body)
    }

    private func attempt(
        _ product: String = Samples.fuel, id: String = UUID().uuidString, quantity: Int = 1,
        token: String
    ) async throws -> AttemptAnswerBody {
        try state(
            try await store.attempt(
                product, id: id, quantity: quantity, token: token, in: "/production"))
    }

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

    @Test func `a purchase takes its price from the credit once`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("10")
        let id = UUID().uuidString
        let first = try await attempt(id: id, quantity: 2, token: token)
        #expect(first.state == .done)
        #expect(try await attempt(id: id, quantity: 2, token: token) == first)
        #expect(try await attempt(Samples.turbo, token: token).state == .done)
        // It is owned, and costs nothing more.
        #expect(try await attempt(Samples.turbo, token: token).state == .done)
        #expect(try store.ledger() == ["topUp 10000", "charge -1980 #1", "charge -2990 #2"])
        #expect(try store.credit() == 5_030)
        #expect(try proceeds() == 4_970)
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a purchase beyond the credit is refused with the missing amount`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("0.5")
        let id = UUID().uuidString
        let refused = try await attempt(id: id, token: token)
        #expect(refused.state == .refused && refused.transaction == nil)
        #expect(refused.refusal?.code == .insufficientCredit)
        #expect(
            refused.refusal?.message == "This account's store credit lacks 0.49 USD for it.")
        try await store.topUp("5")
        // The attempt has come to its end; another one pays.
        #expect(try await attempt(id: id, token: token) == refused)
        #expect(try store.ledger() == ["topUp 500", "topUp 5000"])
        #expect(try await attempt(token: token).state == .done)
        #expect(try store.ledger().last == "charge -990 #1")
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `concurrent purchases spend no more than the credit`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("3")
        let answers = try await withThrowingTaskGroup(of: AttemptAnswerBody.self) { group in
            for _ in 0..<10 { group.addTask { try await attempt(token: token) } }
            return try await group.reduce(into: [AttemptAnswerBody]()) { $0.append($1) }
        }
        #expect(answers.count { $0.state == .done } == 3)
        #expect(answers.count { $0.refusal?.code == .insufficientCredit } == 7)
        #expect(
            try store.ledger()
                == ["topUp 3000", "charge -990 #1", "charge -990 #2", "charge -990 #3"])
        #expect(try store.credit() == 30)
    }

    @Test func `an account that moves pays with credit in its new storefront's currency`()
        async throws
    {
        let token = try await store.openProduction()
        try await store.topUp("10")
        let moved = try await store.control(
            "POST", "/control/v1/accounts/storefront",
            body: SetStorefrontBody(environment: .production, name: "payer", storefront: "DEU"))
        #expect(moved.status == 200)
        let refused = try await attempt(token: token)
        #expect(
            refused.refusal?.message == "This account's store credit lacks 0.99 EUR for it.")
        try await store.topUp("1")
        #expect(try await attempt(token: token).state == .done)
        #expect(try store.ledger() == ["topUp 10000", "topUp 1000", "charge -990 #1"])
        #expect(try store.credit() == 10)
    }

    @Test func `a deferred purchase is paid when it is approved`() async throws {
        let token = try await store.openProduction()
        let set = try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                environment: .production, name: "payer", needsApproval: true))
        #expect(set.status == 200)
        let ids = [UUID().uuidString, UUID().uuidString]
        for id in ids { #expect(try await attempt(id: id, token: token).state == .deferred) }
        #expect(try store.ledger() == [])
        func approve(_ number: Int) async throws -> ApprovalBody {
            let answer = try await store.control("POST", "/control/v1/approvals/\(number)/approve")
            return try WireJSON.decode(ApprovalBody.self, from: answer.body)
        }
        let listed = try await store.control("GET", "/control/v1/approvals")
        let waiting = try WireJSON.decode(ApprovalsBody.self, from: listed.body).approvals
        #expect(waiting.map(\.priceMilliunits) == [990, 990], "credit or not")
        let refused = try await approve(1)
        #expect(refused.state == .refused && refused.refusal?.code == .insufficientCredit)
        #expect(refused.refusal?.message.contains("0.99 USD") == true)
        try await store.topUp("1")
        #expect(try await approve(2).state == .approved)
        #expect(try await approve(2).state == .approved)
        #expect(try await attempt(id: ids[0], token: token).refusal == refused.refusal)
        #expect(try await attempt(id: ids[1], token: token).state == .done)
        #expect(try store.ledger() == ["topUp 1000", "charge -990 #1"])
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `revoking a purchase gives back its whole charge once`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("10")
        let fuel = try #require(try await attempt(quantity: 3, token: token).transaction)
        let turbo = try #require(try await attempt(Samples.turbo, token: token).transaction)
        // The second one of it cost nothing, and goes along.
        _ = try await attempt(Samples.turbo, token: token)
        for id in [fuel, turbo, fuel].map(\.transactionId) {
            let answer = try await store.control(
                "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other))
            #expect(answer.status == 200)
        }
        #expect(
            try store.ledger() == [
                "topUp 10000", "charge -2970 #1", "charge -2990 #2", "refund 2970 #1",
                "refund 2990 #2",
            ])
        #expect(try store.credit() == 10_000)
        #expect(try proceeds() == 0)
        _ = try await attempt(Samples.turbo, token: token)
        #expect(try store.ledger().last == "charge -2990 #4")
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `the sandbox charges nobody, whatever credit they have`() async throws {
        _ = try await store.openProduction()
        let token = try await store.signIn(guid: UUID().uuidString)
        let sold = try await store.buy(Samples.turbo, token: token)
        let answer = try await store.control(
            "POST", "/control/v1/transactions/\(sold.transactionId)/revoke",
            body: RevokeBody(reason: .issue))
        #expect(answer.status == 200)
        #expect(try store.ledger() == [])
    }

    @Test func `receipts of the two environments are distinguishable`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("10")
        let sold = try #require(try await attempt(Samples.turbo, token: token).transaction)
        #expect(try #require(Int64(sold.transactionId)) < 2_000_000_000_000_000)
        let receipt = try await store.receipt(token: token, in: "/production")
        let verified = try await store.verify(receipt, at: "/production")
        #expect(verified["status"] == .number("0"))
        #expect(verified["environment"]?.string == "Production")
        #expect(verified["receipt"]?["receipt_type"]?.string == "Production")
        #expect(
            verified["receipt"]?["in_app"]?.array?.first?["transaction_id"]?.string
                == sold.transactionId)
        let elsewhere = try await store.verify(receipt, at: "/sandbox")
        #expect(elsewhere.compactBytes == Array(#"{"status":21008}"#.utf8))
        let tester = try await store.signIn(guid: UUID().uuidString)
        _ = try await store.buy(Samples.turbo, token: tester)
        let free = try await store.verify(store.receipt(token: tester), at: "/production")
        #expect(free.compactBytes == Array(#"{"status":21007}"#.utf8))
    }

    @Test func `the doctor reports a missing charge`() async throws {
        let token = try await store.openProduction()
        try await store.topUp("10")
        _ = try await attempt(token: token)
        _ = try store.registry.defaultWorld.database.write { scope in
            try scope.execute("UPDATE store_transaction SET charged_milliunits = 991")
        }
        let finding = try store.ledgerFinding()
        #expect(finding.state == .bad && finding.finding.contains("its charge is missing"))
    }
}
