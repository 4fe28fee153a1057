import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Subscriptions in production, month by month: every entry of the ledger.
struct PaidSubscriptionTests {
    private typealias Fixture = SubscriptionFixture

    private func open(
        at moment: String = "2026-04-01T00:00:00Z", trial: String? = nil, credit: String? = nil,
        graceDays: Int? = nil
    ) async throws -> SubscriptionFixture {
        let shop = try await Fixture(at: moment, trial: trial, in: .production)
        let grace = try await shop.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: graceDays))
        #expect(grace.status == 200)
        if let credit { try await shop.store.topUp(credit) }
        return shop
    }

    @Test func `every month is charged until the credit runs out`() async throws {
        let shop = try await open(credit: "25")
        let bought = try await shop.buy()
        let advance = try await shop.advance(to: "2026-06-03T12:00:00Z")
        #expect(advance.renewals == 1 && advance.failedPayments == 3)
        #expect(try shop.store.ledger() == ["topUp 25000", "charge -9990 #1", "charge -9990 #2"])
        #expect(try shop.store.credit() == 5_020)
        #expect(try await shop.show(bought.transactionId).state == .billingRetry)
        #expect(try shop.events() == ["purchased", "renewed", "renewalFailed"])
        // What is paid in pays at once, before the next try is due.
        try await shop.store.topUp("10")
        try await shop.advance(to: "2026-06-03T12:00:01Z")
        #expect(try await shop.show(bought.transactionId).state == .active)
        #expect(
            try shop.store.ledger() == [
                "topUp 25000", "charge -9990 #1", "charge -9990 #2", "topUp 10000",
                "charge -9990 #3",
            ])
        #expect(try shop.periods().last == "silver 2026-06-03 2026-07-03 9990 renewal")
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `late credit pays from the day it came, not for unsettled days before`()
        async throws
    {
        let shop = try await open(credit: "10")
        let id = try await shop.buy().transactionId
        let world = shop.store.registry.defaultWorld
        // As after nine days without a store: the worker has not come to the failed payment yet.
        let later = try #require(Timestamp(rfc3339: "2026-05-10T00:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        try await shop.store.topUp("10")
        try await shop.setClock("2026-05-10T00:00:01Z")
        #expect(try await shop.show(id).state == .active)
        #expect(try shop.events() == ["purchased", "renewalFailed", "renewed"])
        #expect(try shop.periods().last == "silver 2026-05-10 2026-06-10 9990 renewal")
    }

    @Test(arguments: ["revoke", "refund"])
    func `new credit pays an owed renewal at once`(way: String) async throws {
        // 9.99 for a month of silver, and 11.96 for fuel.
        let shop = try await open(credit: "21.95")
        let imported = await shop.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken,
            body: Array(FamilyFixture.catalogue().utf8))
        #expect(imported.status == 200)
        let bought = try await shop.buy()
        let fuel = try await shop.store.attempt(
            Samples.fuel, quantity: 4, token: shop.token, in: shop.base)
        let id = try #require(
            try WireJSON.decode(AttemptAnswerBody.self, from: fuel.body).transaction
        ).transactionId
        try await shop.advance(to: "2026-05-03T12:00:00Z")
        #expect(try await shop.show(bought.transactionId).state == .billingRetry)
        #expect(try shop.store.credit() == 0)
        let steps: [(String, any Encodable)] =
            way == "revoke"
            ? [("transactions/\(id)/revoke", RevokeBody(reason: .other))]
            : [
                ("refunds/\(id)/request", RequestRefundBody(reason: .other)),
                ("refunds/\(id)/grant", GrantRefundBody(type: .full)),
            ]
        for (path, body) in steps {
            let answer = try await shop.store.control("POST", "/control/v1/\(path)", body: body)
            #expect(answer.status == 200)
        }
        try await shop.advance(to: "2026-05-03T12:00:01Z")
        #expect(try await shop.show(bought.transactionId).state == .active)
        #expect(try shop.periods().last == "silver 2026-05-03 2026-06-03 9990 renewal")
        #expect(
            try shop.store.ledger() == [
                "topUp 21950", "charge -9990 #1", "charge -11960 #2", "refund 11960 #2",
                "charge -9990 #3",
            ])
    }

    @Test func `a forced renewal that cannot be paid gives up no paid days`()
        async throws
    {
        let shop = try await open(credit: "10")
        let bought = try await shop.buy()
        try await shop.advance(to: "2026-04-08T00:00:00Z")
        let before = try shop.periods()
        let refused = try await shop.store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/renew")
        #expect(errorCode(refused) == "subscriptionNotRenewed")
        #expect(try shop.periods() == before)
        #expect(try await shop.show(bought.transactionId).state == .active)
    }

    @Test func `a gift code redeemed during the grace period pays the renewal`() async throws {
        let shop = try await open(credit: "9.99", graceDays: 16)
        let bought = try await shop.buy()
        try await shop.advance(to: "2026-05-03T12:00:00Z")
        #expect(try await shop.show(bought.transactionId).state == .gracePeriod)
        let made = try await shop.store.control(
            "POST", "/control/v1/gift-codes",
            body: MakeGiftCodeBody(
                environment: .production, amount: "10",
                currency: try #require(Currency(code: "USD")), expiresAt: nil))
        let code = try WireJSON.decode(MadeGiftCodeBody.self, from: made.body).code
        let redeemed = try await shop.store.control(
            "POST", "/control/v1/accounts/credit/redeem",
            body: RedeemGiftCodeBody(environment: .production, name: "payer", code: code))
        #expect(redeemed.status == 200)
        try await shop.advance(to: "2026-05-03T12:00:01Z")
        #expect(try await shop.show(bought.transactionId).state == .active)
        #expect(try shop.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
        #expect(
            try shop.store.ledger()
                == ["topUp 9990", "charge -9990 #1", "giftCode 10000", "charge -9990 #2"])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a subscription never paid ends as a billing error and costs nothing`() async throws
    {
        let shop = try await open(credit: "10", graceDays: 3)
        let bought = try await shop.buy()
        try await shop.advance(to: "2026-07-01T00:00:00Z")
        let shown = try await shop.show(bought.transactionId)
        #expect(shown.state == .expired && shown.expirationReason == 2)
        #expect(try shop.store.ledger() == ["topUp 10000", "charge -9990 #1"])
    }

    @Test func `payments failed by the shop owner are not retried when credit arrives`()
        async throws
    {
        let shop = try await open(credit: "50")
        let bought = try await shop.buy()
        try await shop.change(bought.transactionId, "fail-billing")
        try await shop.advance(to: "2026-05-01T12:00:00Z")
        try await shop.store.topUp("10")
        try await shop.advance(to: "2026-05-01T12:00:01Z")
        #expect(try shop.store.ledger() == ["topUp 50000", "charge -9990 #1", "topUp 10000"])
        try await shop.change(bought.transactionId, "recover")
        #expect(try shop.store.ledger().last == "charge -9990 #2")
    }

    @Test func `a free trial costs nothing and the next period its price`() async throws {
        let shop = try await open(trial: Fixture.freeWeek)
        let bought = try await shop.buy()
        #expect(try shop.store.ledger() == [])
        try await shop.store.topUp("10")
        try await shop.advance(to: "2026-04-09T00:00:00Z")
        #expect(try shop.store.ledger() == ["topUp 10000", "charge -9990 #2"])
        // The free week gives nothing back.
        let answer = try await shop.store.control(
            "POST", "/control/v1/transactions/\(bought.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        #expect(answer.status == 200)
        #expect(try shop.store.credit() == 10)
    }

    @Test func `an upgrade is paid with credit and the refund of the old plan`() async throws {
        // 9.99 for silver; half of it comes back, and gold costs 19.99.
        let shop = try await open(credit: "24.97")
        let silver = try await shop.buy()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        let refused = try await shop.store.attempt(
            Fixture.gold, token: shop.token, in: shop.base)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: refused.body)
        #expect(body.refusal?.message == "This account's store credit lacks 0.01 USD for it.")
        #expect(try shop.store.ledger() == ["topUp 24970", "charge -9990 #1"])
        try await shop.store.topUp("0.01")
        try await shop.buy(Fixture.gold)
        #expect(
            try shop.store.ledger() == [
                "topUp 24970", "charge -9990 #1", "topUp 10", "refund 5000 #1", "charge -19990 #2",
            ])
        #expect(try shop.store.credit() == 0)
        // What is left of the upgraded month goes back when it is taken back, and no more.
        for _ in 0..<2 {
            let answer = try await shop.store.control(
                "POST", "/control/v1/transactions/\(silver.transactionId)/revoke",
                body: RevokeBody(reason: .other))
            #expect(answer.status == 200)
        }
        #expect(try shop.store.ledger().last == "refund 4990 #1")
        #expect(try shop.store.credit() == 4_990)
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `an upgrade after a partial refund gives back only the rest`() async throws {
        let shop = try await open(credit: "40")
        let silver = try await shop.buy()
        // Given back in part, as on request.
        let paid = Money(milliunits: 9_000, currency: try #require(Currency(code: "USD")))
        let period = TransactionID(try #require(Int64(silver.transactionId)))
        let now = try #require(Timestamp(rfc3339: "2026-04-01T00:00:00Z"))
        _ = try shop.store.registry.defaultWorld.database.write {
            try $0.refund(paid, of: period, reference: "request", at: now)
        }
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.buy(Fixture.gold)
        #expect(
            try shop.store.ledger() == [
                "topUp 40000", "charge -9990 #1", "refund 9000 #1", "refund 990 #1",
                "charge -19990 #2",
            ])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `renewals of an account that moved are paid in its new currency`() async throws {
        let shop = try await open(credit: "50")
        let bought = try await shop.buy()
        let moved = try await shop.store.control(
            "POST", "/control/v1/accounts/storefront",
            body: SetStorefrontBody(environment: .production, name: "payer", storefront: "DEU"))
        #expect(moved.status == 200)
        try await shop.advance(to: "2026-05-01T12:00:00Z")
        #expect(try await shop.show(bought.transactionId).state == .billingRetry)
        #expect(try shop.store.ledger() == ["topUp 50000", "charge -9990 #1"])
        try await shop.store.topUp("10")
        try await shop.advance(to: "2026-05-01T12:00:01Z")
        #expect(
            try shop.store.ledger()
                == ["topUp 50000", "charge -9990 #1", "topUp 10000", "charge -9990 #2"])
        #expect(try shop.store.credit() == 10)
    }
}
