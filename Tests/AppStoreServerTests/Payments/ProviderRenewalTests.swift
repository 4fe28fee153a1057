import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// Renewals and upgrades for which a payment provider is asked, month by month.
struct ProviderRenewalTests {
    private typealias Fixture = SubscriptionFixture

    private let provider = ScriptedProvider()

    private func open(
        at moment: String = "2026-04-01T00:00:00Z", graceDays: Int? = nil
    ) async throws -> SubscriptionFixture {
        let shop = try await Fixture(
            at: moment, store: try TestStore(provider: provider), in: .production)
        let grace = try await shop.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: graceDays))
        #expect(grace.status == 200)
        return shop
    }

    @Test func `each period is authorized, sold and captured in order`() async throws {
        let shop = try await open()
        try await shop.store.topUp("15")
        try await shop.buy()
        let advance = try await shop.advance(to: "2026-07-15T00:00:00Z")
        #expect(advance.renewals == 3 && advance.failedPayments == 0)
        try await shop.store.settlePayments()
        #expect(
            try shop.periods() == [
                "silver 2026-04-01 2026-05-01 9990",
                "silver 2026-05-01 2026-06-01 9990 renewal",
                "silver 2026-06-01 2026-07-01 9990 renewal",
                "silver 2026-07-01 2026-08-01 9990 renewal",
            ])
        #expect(
            try shop.store.ledger() == [
                "topUp 15000", "charge -9990 #1", "payment 4980", "charge -9990 #2",
                "payment 9990", "charge -9990 #3", "payment 9990", "charge -9990 #4",
            ])
        #expect(try shop.store.credit() == 0)
        #expect(
            provider.asked.filter { $0.hasPrefix("authorize") }
                == ["authorize 4980", "authorize 9990", "authorize 9990"])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a declined renewal stays owed and each retry is a new payment`()
        async throws
    {
        let shop = try await open(graceDays: 3)
        let bought = try await shop.buy()
        try await shop.store.settlePayments()
        provider.answerNext([.declined(reason: nil), .declined(reason: nil)])
        try await shop.advance(to: "2026-05-02T12:00:00Z")
        #expect(try await shop.show(bought.transactionId).state == .gracePeriod)
        try await shop.advance(to: "2026-05-03T12:00:00Z")
        #expect(try await shop.show(bought.transactionId).state == .active)
        try await shop.store.settlePayments()
        let renewals = try await shop.store.payments().filter { $0.purpose == .renewal }
        #expect(renewals.map(\.state) == [.declined, .declined, .captured])
        #expect(try shop.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
        #expect(
            try shop.store.ledger()
                == ["payment 9990", "charge -9990 #1", "payment 9990", "charge -9990 #2"])
    }

    @Test
    func `a subscription awaiting its payment cannot be changed and continues with the answer`()
        async throws
    {
        let shop = try await open()
        let bought = try await shop.buy()
        try await shop.store.settlePayments()
        provider.hold()
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { provider.asked.last == "authorize 9990" }
        for verb in ["cancel", "expire"] {
            let refused = try await shop.store.control(
                "POST", "/control/v1/subscriptions/\(bought.transactionId)/\(verb)")
            #expect(refused.status == 503 && errorCode(refused) == "paymentOpen")
        }
        let upgrade = try await shop.store.attempt(
            Fixture.gold, token: shop.token, in: shop.base)
        #expect(upgrade.status == 503 && errorCode(upgrade) == "paymentOpen")
        #expect(try shop.periods().count == 1)
        let payment = try #require(try await shop.store.payments().last)
        let waiting = try await shop.show(bought.transactionId)
        #expect(waiting.state == .active && waiting.paymentId == payment.paymentId)
        provider.letGo()
        try await shop.store.settlePayments()
        #expect(try shop.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
        let active = try await shop.show(bought.transactionId)
        #expect(active.state == .active && active.paymentId == nil)
    }

    @Test func `a receipt shows the known state while the renewal payment is open`() async throws {
        let shop = try await open()
        let bought = try await shop.buy()
        try await shop.store.settlePayments()
        let unified = try await shop.store.receipt(token: shop.token, in: shop.base)
        let own = try await shop.transactionReceipt(of: bought.transactionId)
        provider.hold()
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { provider.asked.last == "authorize 9990" }
        let old = try await shop.verify(own)
        #expect(old["status"]?.integer == 21006, "the period is over")
        #expect(old["auto_renew_status"]?.integer == 1)
        #expect(old["expiration_intent"] == nil && old["latest_receipt"] == nil)
        #expect(
            old["latest_expired_receipt_info"]?["expires_date"]?.string == "1777593600000")
        let whole = try await shop.verify(unified)
        let renewal = try #require(whole["pending_renewal_info"]?.array?.first)
        #expect(renewal["auto_renew_status"]?.string == "1")
        #expect(renewal["expiration_intent"] == nil)
        #expect(
            whole["latest_receipt_info"]?.array?.first?["expires_date"]?.string
                == "2026-05-01 00:00:00 Etc/GMT")
        provider.letGo()
        try await shop.store.settlePayments()
        #expect(try await shop.verify(own)["status"]?.integer == 0)
    }

    @Test func `revoking a renewal says what went to credit and what to the provider`()
        async throws
    {
        let shop = try await open()
        try await shop.store.topUp("15")
        let first = try await shop.buy()
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        try await shop.store.settlePayments()
        let second = try await shop.show(first.transactionId).transactionId
        func revoke(_ id: String) async throws -> [RevokedMoneyBody] {
            let answer = try await shop.store.control(
                "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other))
            try #require(answer.status == 200)
            return try WireJSON.decode(RevokedBody.self, from: answer.body).refunds
        }
        for _ in 0..<2 {
            #expect(
                try await revoke(second) == [
                    RevokedMoneyBody(
                        transactionId: second, currency: "USD", creditMilliunits: 5_010,
                        providerMilliunits: 4_980)
                ])
        }
        #expect(
            try await revoke(first.transactionId) == [
                RevokedMoneyBody(
                    transactionId: first.transactionId, currency: "USD", creditMilliunits: 9_990,
                    providerMilliunits: 0)
            ])
    }

    @Test func `revoking during an open renewal sells nothing and voids the payment`()
        async throws
    {
        let shop = try await open()
        let bought = try await shop.buy()
        try await shop.store.settlePayments()
        provider.hold()
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { provider.asked.last == "authorize 9990" }
        let revoked = try await shop.store.control(
            "POST", "/control/v1/transactions/\(bought.transactionId)/revoke",
            body: RevokeBody(reason: .other))
        #expect(revoked.status == 200)
        provider.letGo()
        try await shop.store.settlePayments()
        #expect(try shop.periods().count == 1)
        #expect(try await shop.show(bought.transactionId).state == .revoked)
        #expect(Set(provider.asked.suffix(2)) == ["void", "refund 9990"])
        #expect(
            try shop.store.ledger()
                == ["payment 9990", "charge -9990 #1", "refund 9990 #1", "payout -9990"])
        #expect(try shop.store.ledgerFinding().state == .good)
    }

    @Test func `a renewal payment unanswered for too long counts as failed`() async throws {
        let shop = try await open()
        let bought = try await shop.buy()
        try await shop.store.settlePayments()
        provider.answerNext([.unknown(why: "lost")])
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until {
            try await shop.store.payments().last?.tries == 1
        }
        shop.store.move(byMilliseconds: PaymentRules.authorizationMilliseconds)
        shop.store.registry.defaultWorld.payments?.wake()
        try await shop.store.settlePayments()
        #expect(try await shop.show(bought.transactionId).state == .billingRetry)
        #expect(try await shop.store.payments().last?.state == .voided)
        #expect(provider.asked.last == "void")
    }

    @Test func `a cancelled advance leaves the clock where it was held up`() async throws {
        let shop = try await open()
        try await shop.buy()
        try await shop.store.settlePayments()
        provider.hold()
        let begun = Task {
            try await shop.store.control(
                "POST", "/control/v1/clock/advance",
                body: AdvanceClockBody(to: Timestamp(rfc3339: "2026-09-01T00:00:00Z")))
        }
        try await shop.store.until { provider.asked.last == "authorize 9990" }
        let cancelled = try await shop.store.control("DELETE", "/control/v1/clock/advance")
        #expect(cancelled.status == 200)
        let ended = try WireJSON.decode(ClockBody.self, from: try await begun.value.body)
        #expect(ended.advance?.state == .cancelled)
        provider.letGo()
        try await shop.store.settlePayments()
        #expect(try shop.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
    }

    @Test func `a forced renewal needs credit and gives up no paid days`() async throws {
        let shop = try await open()
        let bought = try await shop.buy()
        try await shop.advance(to: "2026-04-08T00:00:00Z")
        let refused = try await shop.store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/renew")
        #expect(errorCode(refused) == "subscriptionNotRenewed")
        try await shop.store.topUp("10")
        try await shop.change(bought.transactionId, "renew")
        #expect(try shop.periods().last == "silver 2026-04-08 2026-05-08 9990 renewal")
        #expect(provider.asked.filter { $0.hasPrefix("authorize") }.count == 1)
    }

    @Test func `an upgrade refunds the amount quoted when the provider was asked`() async throws {
        let shop = try await open()
        try await shop.buy()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.store.settlePayments()
        provider.hold()
        let id = UUID().uuidString
        async let first = shop.store.attempt(
            Fixture.gold, id: id, token: shop.token, in: shop.base)
        try await shop.store.until { provider.asked.last == "authorize 14990" }
        // A day on, less would be given back.
        try await shop.setClock("2026-04-17T00:00:00Z")
        provider.letGo()
        #expect(try await first.status == 200)
        try await shop.store.settlePayments()
        #expect(
            try shop.store.ledger() == [
                "payment 9990", "charge -9990 #1", "payment 14990", "refund 5000 #1",
                "charge -19990 #2",
            ])
        #expect(try shop.store.credit() == 0)
    }

    @Test func `an upgrade refunds nothing for an unpaid period`() async throws {
        let shop = try await open()
        provider.answerNext([.approved(reference: nil), .declined(reason: "expired")])
        try await shop.buy()
        try await shop.store.settlePayments()
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await shop.store.settlePayments()
        #expect(
            try shop.store.ledger()
                == ["payment 9990", "charge -9990 #1", "payment 19990", "charge -19990 #2"])
        #expect(try shop.store.credit() == 0)
    }

    @Test func `credit spent elsewhere during a renewal is asked of the provider`() async throws {
        let shop = try await open()
        try await shop.store.topUp("15")
        try await shop.buy()
        provider.hold()
        try await shop.setClock("2026-05-01T00:00:01Z")
        try await shop.store.until { provider.asked == ["authorize 4980"] }
        let taken = try await shop.store.control(
            "POST", "/control/v1/accounts/credit/correct",
            body: CorrectCreditBody(
                environment: .production, name: "payer", requestId: UUID().uuidString,
                amount: "-5", reason: "Paid in twice."))
        try #require(taken.status == 200)
        provider.letGo()
        try await shop.store.settlePayments()
        #expect(try shop.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
        #expect(
            provider.asked.sorted() == [
                "authorize 4980", "authorize 9980", "capture 9980", "void",
            ])
        #expect(try shop.store.credit() == 0)
    }
}
