import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Purchases that are not what they were any more when their payment provider answers.
struct ProviderRaceTests {
    private let provider = ScriptedProvider()
    private let store: TestStore

    init() throws {
        store = try TestStore(provider: provider)
    }

    private func attempt(
        _ product: String = Samples.fuel, shown: Int64? = nil, token: String
    ) async throws -> AttemptAnswerBody {
        try await store.realAttempt(product, shown: shown, token: token)
    }

    @Test func `a payment is voided when the price changed during its authorization`() async throws
    {
        let token = try await store.openProduction()
        provider.hold()
        async let answered = attempt(shown: 990, token: token)
        try await store.until { provider.asked == ["authorize 990"] }
        let raised = try await store.control(
            "PUT", "/control/v1/apps/\(TestStore.bundleID)/products/\(Samples.fuel)/prices/USA",
            body: PriceBody(price: "1.99"))
        try #require(
            raised.status < 300, "\(String(decoding: raised.body, as: UTF8.self))")
        provider.letGo()
        let refused = try await answered
        #expect(refused.refusal?.code == .priceChanged)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "void"])
        #expect(try store.ledger() == [])
    }

    @Test func `credit topped up during the authorization is spent first`() async throws {
        let token = try await store.openProduction()
        provider.hold()
        async let answered = attempt(token: token)
        try await store.until { provider.asked == ["authorize 990"] }
        try await store.topUp("0.9")
        provider.letGo()
        #expect(try await answered.state == .done)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "capture 90"])
        #expect(try store.ledger() == ["topUp 900", "payment 90", "charge -990 #1"])
        #expect(try store.credit() == 0)
    }

    @Test func `credit that covers the price by then voids the authorization`() async throws {
        let token = try await store.openProduction()
        provider.hold()
        async let answered = attempt(token: token)
        try await store.until { provider.asked == ["authorize 990"] }
        try await store.topUp("1")
        provider.letGo()
        #expect(try await answered.state == .done)
        try await store.settlePayments()
        #expect(provider.asked == ["authorize 990", "void"])
        #expect(try store.ledger() == ["topUp 1000", "charge -990 #1"])
    }

    @Test func `of two concurrent purchases of a non-consumable one is paid for`() async throws {
        let token = try await store.openProduction()
        provider.hold()
        async let one = attempt(Samples.turbo, token: token)
        async let two = attempt(Samples.turbo, token: token)
        try await store.until { provider.asked == ["authorize 2990", "authorize 2990"] }
        provider.letGo()
        let states = [try await one.state, try await two.state]
        #expect(states == [.done, .done])
        try await store.settlePayments()
        #expect(
            provider.asked.sorted()
                == ["authorize 2990", "authorize 2990", "capture 2990", "void"])
        #expect(try store.ledger() == ["payment 2990", "charge -2990 #1"])
    }

    @Test func `credit spent elsewhere during the authorization is asked of the provider`()
        async throws
    {
        let token = try await store.openProduction()
        try await store.topUp("0.5")
        provider.hold()
        async let one = attempt(token: token)
        async let two = attempt(token: token)
        try await store.until { provider.asked == ["authorize 490", "authorize 490"] }
        provider.letGo()
        let ends = [try await one.state, try await two.state]
        #expect(!ends.contains(.refused))
        try await store.settlePayments()
        #expect(
            provider.asked.sorted() == [
                "authorize 490", "authorize 490", "authorize 990", "capture 490", "capture 990",
                "void",
            ])
        #expect(try store.credit() == 0)
        #expect(try store.ledgerFinding().state == .good)
    }
}
