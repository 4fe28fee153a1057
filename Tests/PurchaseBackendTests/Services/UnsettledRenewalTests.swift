import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// A period that is over at a store that neither renewed it nor says why not.
@Suite(.ownThreads) struct UnsettledRenewalTests {
    private typealias Answers = SubscriptionAnswers

    private func subscription(_ rig: Rig, _ token: String) throws -> UserSubscriptionBody {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        let body = try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
        return try #require(body.subscriptions.first)
    }

    /// Goes to the next check and has it made, by a store whose clock is ours; gives the wait.
    private func check(_ rig: Rig, _ periods: [Answers.Period]) throws -> Int64 {
        let due = try rig.count("SELECT next_check_at FROM subscriptions")
        let wait = max(due - rig.clock.now.milliseconds, 0)
        rig.clock.advance(milliseconds: wait)
        rig.store.answer(
            .text(
                Answers.unified(
                    periods, [.init(isRetried: false)], at: rig.clock.now.milliseconds)))
        rig.parts.subscriptionWorker.round()
        #expect(rig.parts.subscriptionWorker.pool.drain(milliseconds: 20_000))
        return wait
    }

    private func ended() throws -> (rig: Rig, token: String, period: Answers.Period) {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret")
        let token = try rig.signUp(forGood: true)
        let period = Answers.Period()
        rig.clock.advance(milliseconds: Answers.month - 1_000)
        rig.store.answer(
            .text(Answers.unified([period], at: rig.clock.now.milliseconds)))
        _ = try rig.submit(token, product: "gold.month")
        return (rig, token, period)
    }

    @Test func `an unsettled renewal is checked soon, and a late renewal leaves no gap`() throws {
        let (rig, token, period) = try ended()
        var waits: [Int64] = []
        for _ in 0..<6 { waits.append(try check(rig, [period]) / 1_000) }
        #expect(waits == [61, 60, 120, 240, 450, 450])
        #expect(try subscription(rig, token).state == .active)
        _ = try check(rig, [period.renewed("1000000000000002"), period])
        #expect(try subscription(rig, token).expires == period.ends + Answers.month)
        let events = try rig.database.read { scope in
            try scope.rows("SELECT event FROM subscription_events ORDER BY id").map { $0.text(0) }
        }
        #expect(events == ["began", "renewed"])
    }

    @Test func `an unsettled renewal is served for an hour at most, however often it is checked`()
        throws
    {
        let (rig, token, period) = try ended()
        for _ in 0..<6 { _ = try check(rig, [period]) }
        rig.clock.advance(
            milliseconds: period.ends + 3_600_000 - 1 - rig.clock.now.milliseconds)
        #expect(try subscription(rig, token).isServed)
        rig.clock.advance(milliseconds: 1)
        #expect(try subscription(rig, token).state == .expired)
        for _ in 0..<10 { _ = try check(rig, [period]) }
        let over = try subscription(rig, token)
        #expect(over.state == .expired)
        #expect(over.reason == nil)
    }

    @Test(arguments: [
        SubscriptionAnswers.Renewal(renews: false), .init(intent: 2), .init(isRetried: true),
    ])
    func `a subscription that will not renew gets no extra hour`(
        renewal: SubscriptionAnswers.Renewal
    ) throws {
        let (rig, token, period) = try ended()
        rig.store.answer(.text(Answers.unified([period], [renewal], at: period.ends)))
        _ = try rig.submit(token, product: "gold.month")
        #expect(try !subscription(rig, token).isServed)
    }

    @Test func `a subscription expired in the iOS 6 style gets the hour by the backend's clock`()
        throws
    {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret")
        let token = try rig.signUp(forGood: true)
        let period = Answers.Period()
        rig.store.answer(.text(Answers.old(period, latest: period)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        rig.clock.advance(milliseconds: period.ends + 60_000 - rig.clock.now.milliseconds)
        rig.store.answer(.text(Answers.old(period, latest: period, status: 21_006)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        #expect(try subscription(rig, token).isServed)
        rig.clock.advance(milliseconds: 3_600_000)
        #expect(try subscription(rig, token).state == .expired)
    }

    @Test func `a subscription expired in the iOS 6 style gets no hour when the store is ahead`()
        throws
    {
        let rig = try Rig(products: Rig.subscriptions, secret: "secret")
        let token = try rig.signUp(forGood: true)
        let period = Answers.Period()
        rig.store.answer(.text(Answers.old(period, latest: period)))
        _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
        #expect(try subscription(rig, token).state == .active)
        // A test's clock is past the end; ours is not, and that style tells none.
        rig.clock.advance(milliseconds: 1_000)
        for answer in [
            Answers.old(period, latest: period, status: 21_006),
            Answers.old(period, latest: period, status: 21_006, isRetried: false),
        ] {
            rig.store.answer(.text(answer))
            _ = try rig.submit(token, product: "gold.month", receipt: "eyB9")
            #expect(try subscription(rig, token).state == .expired)
        }
    }
}
