import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// What a period gives back to an upgrade, when a provider was to pay for some of it.
struct ProviderCaptureUpgradeTests {
    private typealias Fixture = SubscriptionFixture

    private let provider = ScriptedProvider()

    /// A month of silver, of which credit pays five dollars.
    private func open() async throws -> SubscriptionFixture {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", store: try TestStore(provider: provider),
            in: .production)
        try await shop.store.topUp("5")
        return shop
    }

    private func upgradeRefunds(_ shop: SubscriptionFixture) throws -> [Int64] {
        try shop.store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT milliunits FROM refund ORDER BY number").map { $0.integer(0) }
        }
    }

    private func refund(
        _ shop: SubscriptionFixture, _ verb: String, _ id: String, _ body: (any Encodable)? = nil
    ) async throws -> RefundBody {
        let answer = try await shop.store.control(
            "POST", "/control/v1/refunds/\(id)/\(verb)", body: body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(RefundBody.self, from: answer.body)
    }

    @Test func `a declined capture keeps the part paid with credit refundable`() async throws {
        let shop = try await open()
        provider.answerNext([.approved(reference: nil), .declined(reason: "expired")])
        let silver = try await shop.buy().transactionId
        try await shop.store.settlePayments()
        try await shop.advance(to: "2026-04-11T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await shop.store.settlePayments()
        // Two thirds of the month are left, which is more than was paid.
        #expect(
            try shop.store.ledger() == [
                "topUp 5000", "payment 4990", "charge -9990 #1", "payment 14990",
                "refund 5000 #1", "charge -19990 #2",
            ])
        #expect(try upgradeRefunds(shop) == [5_000])
        _ = try await refund(shop, "request", silver, RequestRefundBody(reason: .other))
        let granted = try await refund(shop, "grant", silver, GrantRefundBody(type: .full))
        #expect(granted.refundMilliunits == 4_990)
        try await shop.store.settlePayments()
        #expect(try shop.store.credit() == 0)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an upgrade waits while the old payment may never be captured`() async throws {
        let shop = try await open()
        provider.answerNext([.approved(reference: nil), .unknown(why: "lost")])
        try await shop.buy()
        try await shop.store.until { try await shop.store.payments().first?.tries == 1 }
        try await shop.setClock("2026-04-11T00:00:00Z")
        try await shop.store.topUp("20")
        let upgrade = try await shop.store.attempt(
            Fixture.gold, token: shop.token, in: shop.base)
        #expect(upgrade.status == 503 && errorCode(upgrade) == "paymentOpen")
        #expect(try shop.periods().count == 1)
        // What gives nothing back is changed meanwhile.
        #expect(try await shop.buy(Fixture.bronze).productId == Fixture.silver)
        provider.answerNext([.declined(reason: "expired")])
        shop.store.move(byMilliseconds: 1_000)
        shop.store.registry.defaultWorld.payments?.wake()
        try await shop.store.settlePayments()
        try await shop.buy(Fixture.gold)
        #expect(
            try shop.store.ledger() == [
                "topUp 5000", "payment 4990", "charge -9990 #1", "topUp 20000",
                "refund 5000 #1", "charge -19990 #2",
            ])
    }

    @Test func `an upgrade refunds credit that was paid again after a reversal`() async throws {
        let shop = try await open()
        provider.answerNext([.approved(reference: nil), .declined(reason: "expired")])
        let silver = try await shop.buy().transactionId
        try await shop.store.settlePayments()
        _ = try await refund(shop, "request", silver, RequestRefundBody(reason: .other))
        _ = try await refund(shop, "grant", silver, GrantRefundBody(type: .full))
        #expect(try shop.store.credit() == 5_000)
        try await shop.store.topUp("4.99")
        _ = try await refund(shop, "reverse", silver)
        #expect(try shop.store.credit() == 0)
        try await shop.advance(to: "2026-04-11T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await shop.store.settlePayments()
        #expect(try upgradeRefunds(shop) == [6_660])
        #expect(try shop.store.ledgerFinding().state == .good)
    }
}
