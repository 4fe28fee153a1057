import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Upgrades for which a payment provider is asked. Half of a month of silver, which was 9.99, is left
/// when gold is bought for 19.99.
struct ProviderUpgradeTests {
    private typealias Fixture = SubscriptionFixture

    private func halfway(credit: String? = nil) async throws -> (ProviderShop, silver: String) {
        let shop = try await ProviderShop(credit: credit)
        let silver = try await shop.buy()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        return (shop, silver)
    }

    private static let silver = "silver 2026-04-01 2026-05-01 9990"

    @Test func `the refund from silver pays for the upgrade and nothing else`() async throws {
        let (shop, silver) = try await halfway()
        let gold = try await shop.buy(Fixture.gold)
        #expect(shop.asked(after: 2) == ["authorize 14990", "capture 14990"])
        #expect(
            try shop.store.ledger() == [
                "payment 9990", "charge -9990 #1", "payment 14990", "refund 5000 #1",
                "charge -19990 #2",
            ])
        #expect(try shop.store.credit() == 0)
        // Of gold goes back what its own payment took; the rest is what silver gave.
        try await shop.revoke(gold)
        #expect(shop.asked(after: 4) == ["refund 14990"])
        #expect(try shop.store.credit() == 5_000)
        // Of silver the other half is left, and its payment is there for it.
        try await shop.revoke(silver)
        #expect(shop.asked(after: 5) == ["refund 4990"])
        #expect(try shop.store.credit() == 5_000)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `credit, the refund of the old plan and the provider pay an upgrade together`()
        async throws
    {
        let (shop, _) = try await halfway(credit: "12.99")
        #expect(shop.provider.asked == [])
        let gold = try await shop.buy(Fixture.gold)
        #expect(shop.provider.asked == ["authorize 11990", "capture 11990"])
        #expect(
            try shop.store.ledger() == [
                "topUp 12990", "charge -9990 #1", "payment 11990", "refund 5000 #1",
                "charge -19990 #2",
            ])
        #expect(try shop.store.credit() == 0)
        try await shop.revoke(gold)
        #expect(shop.provider.asked.last == "refund 11990")
        #expect(try shop.store.credit() == 8_000)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a declined upgrade leaves the silver subscription unchanged`() async throws {
        let (shop, silver) = try await halfway()
        let before = try await shop.shop.show(silver)
        shop.provider.answerNext([.declined(reason: "no funds")])
        let refused = try await shop.attempt(Fixture.gold)
        #expect(refused.refusal?.code == .paymentDeclined)
        #expect(try await shop.shop.show(silver) == before)
        #expect(try shop.store.ledger() == ["payment 9990", "charge -9990 #1"])
        #expect(try shop.shop.events() == ["purchased", "declined \(refused.attemptId)"])
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        #expect(
            try shop.shop.periods()
                == [Self.silver, "silver 2026-05-01 2026-06-01 9990 renewal"])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an upgrade whose answer was lost completes when the answer comes`() async throws {
        let (shop, silver) = try await halfway()
        shop.provider.answerNext([.unknown(why: "lost")])
        let id = UUID().uuidString
        async let first = shop.attempt(Fixture.gold, id: id)
        try await shop.unanswered()
        #expect(try shop.store.attemptState(id) == .unknown)
        #expect(try await shop.shop.show(silver).autoRenews)
        #expect(try shop.shop.periods() == [Self.silver])
        shop.pass(milliseconds: 1_000)
        #expect(try await first.state == .done)
        try await shop.store.settlePayments()
        #expect(
            try shop.shop.periods()
                == [Self.silver + " upgraded", "gold 2026-04-16 2026-05-16 19990"])
        #expect(
            shop.asked(after: 2) == ["authorize 14990", "authorize 14990", "capture 14990"])
        #expect(try await shop.attempt(Fixture.gold, id: id).state == .done)
        #expect(try shop.store.ledger().filter { $0.hasPrefix("charge") }.count == 2)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an unanswered upgrade leaves the silver subscription unchanged`() async throws {
        let (shop, silver) = try await halfway()
        let before = try await shop.shop.show(silver)
        shop.provider.answerNext([.unknown(why: "lost")])
        async let first = shop.attempt(Fixture.gold)
        try await shop.unanswered()
        shop.pass(milliseconds: PaymentRules.authorizationMilliseconds)
        #expect(try await first.refusal?.code == .paymentUnavailable)
        try await shop.store.settlePayments()
        #expect(shop.asked(after: 2) == ["authorize 14990", "void"])
        #expect(try await shop.shop.show(silver) == before)
        #expect(try shop.store.ledger() == ["payment 9990", "charge -9990 #1"])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test
    func `a plan that ended during the upgrade refunds nothing and the provider pays its part`()
        async throws
    {
        let shop = try await ProviderShop()
        let silver = try await shop.buy()
        try await shop.shop.change(silver, "cancel")
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        shop.provider.hold()
        async let first = shop.attempt(Fixture.gold)
        try await shop.store.until { shop.provider.asked.last == "authorize 14990" }
        try await shop.shop.setClock("2026-05-02T00:00:00Z")
        shop.provider.letGo()
        #expect(try await first.state == .done)
        try await shop.store.settlePayments()
        #expect(
            shop.asked(after: 3).sorted() == ["authorize 19990", "capture 19990", "void"])
        #expect(try shop.shop.periods() == [Self.silver, "gold 2026-05-02 2026-06-02 19990"])
        #expect(try shop.store.credit() == 0)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an upgrade covered by credit and the old plan asks no provider`() async throws {
        let (shop, _) = try await halfway(credit: "24.98")
        try await shop.buy(Fixture.gold)
        #expect(shop.provider.asked == [])
        #expect(try shop.store.credit() == 0)
    }
}
