import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The life of subscriptions in the store, month by month: every period, charge and event.
struct SubscriptionLifeTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `subscription months are counted from the day of purchase`() async throws {
        let store = try await Fixture()
        let bought = try await store.buy()
        let advance = try await store.advance(to: "2026-06-01T00:00:00Z")
        #expect(advance.renewals == 4 && advance.failedPayments == 0 && advance.endings == 0)
        #expect(
            try store.periods() == [
                "silver 2026-01-31 2026-02-28 9990",
                "silver 2026-02-28 2026-03-31 9990 renewal",
                "silver 2026-03-31 2026-04-30 9990 renewal",
                "silver 2026-04-30 2026-05-31 9990 renewal",
                "silver 2026-05-31 2026-06-30 9990 renewal",
            ])
        #expect(
            try store.events() == ["purchased", "renewed", "renewed", "renewed", "renewed"])
        let shown = try await store.show(bought.transactionId)
        #expect(shown.state == .active && shown.renewals == 4 && shown.autoRenews)
        #expect(shown.originalTransactionId == bought.originalTransactionId)
        #expect(shown.expiresDate == Timestamp(rfc3339: "2026-06-30T10:00:00Z"))
    }

    @Test func `a free trial is given once and becomes a paid period`() async throws {
        let store = try await Fixture(trial: Fixture.freeWeek)
        let bought = try await store.buy()
        try await store.advance(to: "2026-02-08T00:00:00Z")
        try await store.change(bought.transactionId, "cancel")
        try await store.advance(to: "2026-04-01T00:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .expired)
        let again = try await store.buy()
        #expect(again.originalTransactionId == bought.transactionId)
        #expect(again.transactionId != bought.transactionId)
        #expect(again.originalPurchaseDate == bought.purchaseDate)
        #expect(
            try store.periods() == [
                "silver 2026-01-31 2026-02-07 0", "silver 2026-02-07 2026-03-07 9990 renewal",
                "silver 2026-04-01 2026-05-01 9990",
            ])
        #expect(
            try store.events() == [
                "purchased", "renewed", "renewalChanged", "expired 1", "purchased",
            ])
    }

    @Test func `an upgrade begins at once and refunds the rest`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let silver = try await store.buy()
        try await store.advance(to: "2026-04-16T00:00:00Z")
        let gold = try await store.buy(Fixture.gold)
        #expect(gold.originalTransactionId == silver.transactionId)
        try await store.advance(to: "2026-05-20T00:00:00Z")
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-05-01 9990 upgraded", "gold 2026-04-16 2026-05-16 19990",
                "gold 2026-05-16 2026-06-16 19990 renewal",
            ])
        let refunds = try store.store.registry.defaultWorld.database.read {
            try $0.rows("SELECT transaction_id, milliunits FROM refund").map {
                [$0.integer(0), $0.integer(1)]
            }
        }
        #expect(refunds == [[try #require(Int64(silver.transactionId)), 5_000]])
    }

    @Test func `a downgrade waits for the renewal and can be withdrawn`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let gold = try await store.buy(Fixture.gold)
        for _ in 0..<2 {
            // It is answered with the period that goes on.
            #expect(try await store.buy(Fixture.bronze).transactionId == gold.transactionId)
            #expect(
                try await store.show(gold.transactionId).autoRenewProductId == Fixture.bronze)
            #expect(try await store.buy(Fixture.gold).transactionId == gold.transactionId)
            #expect(try await store.show(gold.transactionId).autoRenewProductId == Fixture.gold)
        }
        _ = try await store.buy(Fixture.silverYear)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(
            try store.periods() == [
                "gold 2026-04-01 2026-05-01 19990",
                "silver.year 2026-05-01 2027-05-01 99990 renewal",
            ])
    }

    @Test(arguments: [nil] + (1...5).map(Int64?.some))
    func `a subscription that its owner ends has the reason that is given`(
        number: Int64?
    ) async throws {
        let store = try await Fixture()
        let bought = try await store.buy()
        let ended = try await store.change(
            bought.transactionId, "expire",
            body: number.map { ExpireSubscriptionBody(expirationReason: $0) })
        #expect(ended.state == .expired && ended.expirationReason == number ?? 1)
        #expect(try store.events().last == "expired \(number ?? 1)")
    }

    @Test(arguments: [0, 6, -1]) func `a reason that Apple does not have ends nothing`(
        number: Int64
    ) async throws {
        let store = try await Fixture()
        let bought = try await store.buy()
        let answer = try await store.store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/expire",
            body: ExpireSubscriptionBody(expirationReason: number))
        #expect(answer.status == 422 && errorCode(answer) == "badField")
        #expect(try await store.show(bought.transactionId).state == .active)
    }

    @Test func `an active subscription is not sold twice, and buying resumes a cancelled one`()
        async throws
    {
        let store = try await Fixture()
        let bought = try await store.buy()
        let answer = try await store.store.attempt(Fixture.silver, token: store.token)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        #expect(body.refusal?.code == .alreadySubscribed && body.transaction == nil)
        // StoreKit 2 is told the period, and nothing has happened.
        func kinds() throws -> [String] {
            try store.store.registry.defaultWorld.database.read {
                try $0.rows("SELECT kind FROM event ORDER BY number", []).map { $0.text(0) }
            }
        }
        let before = try kinds()
        let held = try await store.store.attempt(
            Fixture.silver, token: store.token, query: "?signed=true")
        #expect(
            try WireJSON.decode(AttemptAnswerBody.self, from: held.body).transaction?.transactionId
                == bought.transactionId)
        #expect(try kinds() == before)
        try await store.change(bought.transactionId, "cancel")
        // Turned off, it is turned on again, for nothing.
        #expect(try await store.buy().transactionId == bought.transactionId)
        #expect(try await store.show(bought.transactionId).autoRenews)
        #expect(try store.periods().count == 1)
    }

    @Test func `a failed renewal enters the grace period, is retried and recovers`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let grace = try await store.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 16))
        #expect(grace.status == 200)
        let bought = try await store.buy()
        try await store.change(bought.transactionId, "fail-billing")
        let advance = try await store.advance(to: "2026-05-03T12:00:00Z")
        #expect(advance.failedPayments == 3 && advance.renewals == 0)
        var shown = try await store.show(bought.transactionId)
        #expect(shown.state == .gracePeriod && shown.autoRenews && shown.failsBilling)
        #expect(shown.gracePeriodExpiresDate == Timestamp(rfc3339: "2026-05-17T00:00:00Z"))
        shown = try await store.change(bought.transactionId, "recover")
        #expect(shown.state == .active && !shown.failsBilling)
        // The days that were served are part of the period.
        #expect(
            try store.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
        #expect(
            try store.events() == ["purchased", "renewalFailed 2026-05-17T00:00:00Z", "renewed"])
    }

    @Test func `a renewal unpaid for 60 days ends as a billing error`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        _ = try await store.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 3))
        let bought = try await store.buy()
        try await store.change(bought.transactionId, "fail-billing")
        try await store.advance(to: "2026-05-05T00:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .billingRetry)
        try await store.advance(to: "2026-07-01T00:00:00Z")
        let shown = try await store.show(bought.transactionId)
        #expect(shown.state == .expired && shown.expirationReason == 2)
        #expect(
            try store.events() == [
                "purchased", "renewalFailed 2026-05-04T00:00:00Z", "gracePeriodEnded", "expired 2",
            ])
        #expect(try store.periods().count == 1)
    }

    @Test func `a subscription removed from sale does not renew`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let removed = try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.silver)/state",
            body: SaleStateBody(state: .removedFromSale, reason: nil, note: nil))
        #expect(removed.status == 200)
        try await store.advance(to: "2026-06-01T00:00:00Z")
        #expect(try await store.show(bought.transactionId).expirationReason == 4)
    }

    @Test func `a raised list price does not apply to existing subscribers`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        let dearer = try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.silver)/price",
            body: PriceBody(price: "12.99"))
        #expect(dearer.status == 200)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(try store.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
    }

    @Test(arguments: [
        (true, PriceConsent.Answer?.none, "expired 3"),
        (true, .agreed, "silver 2026-05-01 2026-06-01 12990 renewal"),
        (true, .declined, "expired 3"),
        (false, nil, "silver 2026-05-01 2026-06-01 12990 renewal"),
    ])
    func `a price increase applies after consent or when none is needed`(
        needsConsent: Bool, answer: PriceConsent.Answer?, outcome: String
    ) async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let shown = try await store.change(
            bought.transactionId, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: needsConsent))
        #expect(shown.priceIncrease?.priceMilliunits == 12_990)
        if let answer {
            let verb = answer == .agreed ? "agree" : "decline"
            let told = await store.store.send(
                "POST", "/sandbox/device/v1/price-consents/1/\(verb)", token: store.token)
            #expect(told.status == 200)
        }
        try await store.advance(to: "2026-05-02T00:00:00Z")
        let last = [try store.periods().last, try store.events().last]
        #expect(last.contains(outcome))
    }

    @Test func `an extension moves the end and every later renewal`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try await store.change(
            bought.transactionId, "extend", body: ExtendSubscriptionBody(days: 10))
        try await store.advance(to: "2026-05-20T00:00:00Z")
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-05-11 9990",
                "silver 2026-05-11 2026-06-11 9990 renewal",
            ])
    }

    @Test func `revoking a period ends the subscription`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let revoked = try await store.store.control(
            "POST", "/control/v1/transactions/\(bought.transactionId)/revoke",
            body: RevokeBody(reason: .issue))
        #expect(revoked.status == 200)
        try await store.advance(to: "2026-06-01T00:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .revoked)
        #expect(try store.periods().count == 1)
    }

    @Test func `renew and expire end the period immediately`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try await store.advance(to: "2026-04-11T00:00:00Z")
        #expect(try await store.change(bought.transactionId, "renew").renewals == 1)
        try await store.advance(to: "2026-04-21T00:00:00Z")
        let shown = try await store.change(bought.transactionId, "expire")
        #expect(shown.state == .expired && shown.expirationReason == 1)
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-04-11 9990",
                "silver 2026-04-11 2026-04-21 9990 renewal",
            ])
    }

    @Test func `the sandbox renews monthly subscriptions twelve times, every five minutes`()
        async throws
    {
        let store = try await Fixture(pace: .sandboxFiveMinutes)
        let bought = try await store.buy()
        let advance = try await store.advance(to: "2026-01-31T12:00:00Z")
        #expect(advance.renewals == 12 && advance.endings == 1)
        let shown = try await store.show(bought.transactionId)
        #expect(shown.state == .expired && shown.expirationReason == 1)
        #expect(shown.expiresDate == Timestamp(rfc3339: "2026-01-31T11:05:00Z"))
    }
}
