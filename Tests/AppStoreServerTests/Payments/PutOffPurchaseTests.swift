import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Upgrades that a provider approved while another payment of the subscription is open.
struct PutOffPurchaseTests {
    private typealias Fixture = SubscriptionFixture

    private let provider = ScriptedProvider()

    /// A month of silver whose renewal is asked for while an upgrade is; the upgrade is approved, and
    /// the renewal has no answer yet.
    private func open() async throws -> (shop: SubscriptionFixture, upgrade: String) {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", store: try TestStore(provider: provider),
            in: .production)
        try await shop.buy()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.store.settlePayments()
        provider.hold()
        let id = UUID().uuidString
        provider.answerNext([.approved(reference: "gold")])
        let token = shop.token
        Task { [store = shop.store, base = shop.base] in
            try await store.attempt(Fixture.gold, id: id, token: token, in: base)
        }
        try await shop.store.until { provider.asked.last == "authorize 14990" }
        provider.answerNext([.unknown(why: "lost")])
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { provider.asked.last == "authorize 9990" }
        provider.letGo()
        try await shop.store.until { try putOffCount(shop) == 1 }
        try await shop.store.until {
            try await shop.store.payments().last?.tries == 1
        }
        return (shop, id)
    }

    private func putOffCount(_ shop: SubscriptionFixture) throws -> Int {
        try shop.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                "SELECT 1 FROM payment WHERE is_approved <> 0 AND state = 'authorizing'"
            ).count
        }
    }

    @Test func `a purchase held up by a renewal continues once that is decided and asks once`()
        async throws
    {
        let (shop, id) = try await open()
        #expect(try shop.store.attemptState(id)?.isOfProvider == true)
        shop.store.move(byMilliseconds: 1_000)
        shop.store.registry.defaultWorld.payments?.wake()
        try await shop.store.settlePayments()
        #expect(try shop.store.attemptState(id) == .done)
        #expect(
            try shop.periods() == [
                "silver 2026-04-01 2026-05-01 9990",
                "silver 2026-05-01 2026-06-01 9990 renewal upgraded",
                "gold 2026-05-01 2026-06-01 19990",
            ])
        #expect(provider.asked.count { $0 == "authorize 14990" } == 1)
        #expect(!shop.store.lines.all.contains { $0.contains("paymentsFailed") })
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an approved purchase held up by a renewal outlives the usual time limit`()
        async throws
    {
        let (shop, id) = try await open()
        // The renewal is given up, so that nothing is given back any more: the rest is asked for.
        shop.store.move(byMilliseconds: PaymentRules.authorizationMilliseconds)
        shop.store.registry.defaultWorld.payments?.wake()
        try await shop.store.settlePayments()
        #expect(try shop.store.attemptState(id) == .done)
        #expect(provider.asked.contains("authorize 19990"))
        #expect(!shop.store.lines.all.contains { $0.contains("paymentsFailed") })
    }

    @Test func `an undecided renewal payment does not hold a purchase for ever`() async throws {
        let (shop, id) = try await open()
        let silent = Array(repeating: ProviderOutcome.unknown(why: "lost"), count: 100)
        // The capture of the renewal has no answer, either.
        provider.answerNext([.approved(reference: nil)] + silent)
        shop.store.move(byMilliseconds: 1_000)
        shop.store.registry.defaultWorld.payments?.wake()
        try await shop.store.until { provider.asked.last == "capture 9990" }
        shop.store.move(byMilliseconds: PaymentRules.approvedMilliseconds)
        try await shop.store.until {
            // It may just have been put off once more.
            shop.store.move(byMilliseconds: PaymentRules.putOffMilliseconds)
            shop.store.registry.defaultWorld.payments?.wake()
            return try shop.store.attemptState(id) == .refused
        }
        #expect(try shop.periods().count == 2)
    }
}
