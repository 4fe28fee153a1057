import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Money that is asked back of periods that credit and a payment provider paid. A month of silver is
/// 9.99.
struct ProviderRefundTests {
    private typealias Fixture = SubscriptionFixture

    /// Asks for the money of a purchase and grants it.
    private func grant(
        _ type: RefundType, of id: String, in shop: ProviderShop
    ) async throws -> RefundBody {
        _ = try await shop.refund(id, "request", RequestRefundBody(reason: .other))
        let granted = try await shop.refund(id, "grant", GrantRefundBody(type: type))
        try await shop.store.settlePayments()
        return granted
    }

    @Test func `a partial refund goes to the provider up to what it paid`() async throws {
        let shop = try await ProviderShop(credit: "7")
        let silver = try await shop.buy()
        #expect(shop.provider.asked == ["authorize 2990", "capture 2990"])
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        let granted = try await grant(.prorated, of: silver, in: shop)
        #expect(granted.refundMilliunits == 5_000)
        #expect(shop.asked(after: 2) == ["refund 2990"])
        #expect(
            try shop.store.ledger() == [
                "topUp 7000", "payment 2990", "charge -9990 #1", "refund 5000 #1",
                "payout -2990",
            ])
        #expect(try shop.store.credit() == 2_010)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a partial refund of a provider-only payment is in whole cents`() async throws {
        let shop = try await ProviderShop()
        let silver = try await shop.buy()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        _ = try await grant(.prorated, of: silver, in: shop)
        #expect(shop.asked(after: 2) == ["refund 5000"])
        #expect(try shop.store.credit() == 0)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `money refunded to a card is taken again only from credit`() async throws {
        let shop = try await ProviderShop(credit: "7")
        let silver = try await shop.buy()
        #expect(try await grant(.full, of: silver, in: shop).refundMilliunits == 9_990)
        #expect(shop.asked(after: 2) == ["refund 2990"])
        #expect(try shop.store.credit() == 7_000)
        let ledger = try shop.store.ledger()
        let refused = try await shop.store.control("POST", "/control/v1/refunds/\(silver)/reverse")
        #expect(refused.status == 409 && errorCode(refused) == "creditTooLow")
        #expect(try shop.store.ledger() == ledger)
        #expect(try await shop.shop.show(silver).state == .revoked)
        try await shop.store.topUp("2.99")
        _ = try await shop.refund(silver, "reverse")
        #expect(try await shop.shop.show(silver).state == .active)
        #expect(try shop.store.credit() == 0)
        // Nobody's card was charged again, so nothing more goes back to it.
        try await shop.revoke(silver)
        #expect(shop.provider.asked.count == 3)
        #expect(
            try shop.store.ledger().dropFirst(ledger.count)
                == ["topUp 2990", "charge -9990 #1", "refund 9990 #1"])
        #expect(try shop.store.credit() == 9_990)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a part taken back by a reversal and refunded again goes to the card`()
        async throws
    {
        let shop = try await ProviderShop(credit: "10")
        try await shop.store.topUp("0.01")
        let silver = try await shop.buy()
        try await shop.advance(to: "2026-05-16T00:00:00Z")
        let second = try await shop.shop.show(silver).transactionId
        #expect(shop.provider.asked == ["authorize 9970", "capture 9970"])
        // Half of the second month went back to the card, and is paid again with credit.
        let granted = try await grant(.prorated, of: second, in: shop)
        let half = try #require(granted.refundMilliunits)
        #expect(shop.provider.asked.last == "refund \(half - half % 10)")
        try await shop.store.topUp("9")
        _ = try await shop.refund(second, "reverse")
        try await shop.revoke(second)
        #expect(shop.provider.asked.last == "refund \(9_970 - half + half % 10)")
        #expect(shop.asked(after: 2).count == 2)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a payment still being captured is refunded once afterwards`() async throws {
        let shop = try await ProviderShop()
        shop.provider.answerNext([.approved(reference: nil), .unknown(why: "lost")])
        let silver = try await shop.shop.buy().transactionId
        try await shop.unanswered()
        let answer = try await shop.store.control(
            "POST", "/control/v1/transactions/\(silver)/revoke", body: RevokeBody(reason: .other))
        #expect(answer.status == 200)
        #expect(shop.provider.asked == ["authorize 9990", "capture 9990"])
        shop.provider.answerNext([.approved(reference: nil), .unknown(why: "lost")])
        shop.pass(milliseconds: 1_000)
        try await shop.store.until { shop.provider.asked.count == 4 }
        #expect(shop.asked(after: 2) == ["capture 9990", "refund 9990"])
        try await shop.store.until {
            try await shop.store.payments().first?.refunds.map(\.state) == [.refunding]
        }
        try await shop.store.until {
            try shop.store.registry.defaultWorld.database.read { scope in
                try scope.row("SELECT tries FROM payment_refund")?.integer(0) == 1
            }
        }
        shop.pass(milliseconds: 1_000)
        try await shop.store.settlePayments()
        #expect(shop.asked(after: 4) == ["refund 9990"])
        #expect(try await shop.store.payments().first?.refunds.map(\.state) == [.refunded])
        #expect(try shop.store.credit() == 0)
        #expect(try shop.store.ledgerFinding().state == .good)
    }
}
