import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases that somebody approved, for which a payment provider is asked then.
struct ApprovedPriceTests {
    private let provider = ScriptedProvider()
    private let store: TestStore

    init() throws {
        store = try TestStore(provider: provider)
    }

    /// An approved purchase of fuel for 0.99 whose provider does not answer yet.
    private func approve() async throws -> (attempt: String, token: String) {
        let token = try await store.openProduction()
        try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(environment: .production, name: "payer", needsApproval: true)
        ).expectStatus(200)
        let id = UUID().uuidString
        _ = try await store.attempt(Samples.fuel, id: id, token: token, in: "/production")
        provider.hold()
        try await store.control("POST", "/control/v1/approvals/1/approve").expectStatus(200)
        try await store.until { provider.asked == ["authorize 990"] }
        return (id, token)
    }

    private func setPrice(_ price: String) async throws {
        let path = "/control/v1/apps/\(TestStore.bundleID)/products/\(Samples.fuel)/prices/USA"
        let answer = try await store.control("PUT", path, body: PriceBody(price: price))
        try #require(answer.status < 300)
    }

    private func end(
        _ approved: (attempt: String, token: String)
    ) async throws -> AttemptAnswerBody {
        provider.letGo()
        try await store.settlePayments()
        let answer = try await store.attempt(
            Samples.fuel, id: approved.attempt, token: approved.token, in: "/production")
        return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
    }

    @Test(arguments: ["1.49", "0.49"])
    func `an approved purchase is sold at the approved price or not at all`(
        price: String
    ) async throws {
        let approved = try await approve()
        try await setPrice(price)
        // Enough to pay any of them.
        try await store.topUp("2")
        let refused = try await end(approved)
        #expect(refused.state == .refused && refused.refusal?.code == .priceChanged)
        #expect(provider.asked == ["authorize 990", "void"])
        #expect(try store.ledger() == ["topUp 2000"])
    }

    @Test func `a price that returned to the approved one is accepted`() async throws {
        let approved = try await approve()
        try await setPrice("1.49")
        try await setPrice("0.99")
        #expect(try await end(approved).state == .done)
        #expect(try store.ledger() == ["payment 990", "charge -990 #1"])
    }
}
