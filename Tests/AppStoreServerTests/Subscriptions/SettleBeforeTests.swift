import Foundation
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// What is due of a subscription comes before what is done to it, in bounds; and what was bought
/// while nobody looked is renewed in time.
struct SettleBeforeTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a request that would wait for a thousand renewals is asked to come back later`()
        async throws
    {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        let bought = try await store.buy()
        let world = store.store.registry.defaultWorld
        let held = await HeldRenewals(of: world)
        defer { held.goOn() }
        // The clock is set behind the worker's back.
        let later = try #require(Timestamp(rfc3339: "2026-01-31T11:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        let path = "/control/v1/subscriptions/\(bought.transactionId)/cancel"
        let early = try await store.store.control("POST", path)
        #expect(early.status == 503 && errorCode(early) == "busy")
        let buying = try await store.store.attempt(Fixture.gold, token: store.token)
        #expect(buying.status == 503 && errorCode(buying) == "busy")
        #expect(try store.periods().count == 1)
        held.goOn()
        world.renewals.wake()
        while try world.database.read({ try $0.dueCount(until: later) }) > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await store.store.control("POST", path).status == 200)
        #expect(try store.periods().count == 1 + 1_800)
    }

    @Test func `a full receipt does not shorten the grace period`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        _ = try await store.store.control(
            "PUT", "\(Fixture.app)/grace-period", body: GracePeriodBody(days: 16))
        let bought = try await store.buy()
        try await store.change(bought.transactionId, "fail-billing")
        try await store.advance(to: "2026-05-02T12:00:00Z")
        try store.store.repeatPurchase(bought, PurchaseRules.receiptPurchasesMax)
        let tried = try await store.change(bought.transactionId, "recover")
        #expect(tried.state == .gracePeriod)
        #expect(tried.gracePeriodExpiresDate == Timestamp(rfc3339: "2026-05-17T00:00:00Z"))
        try await store.advance(to: "2026-05-16T23:00:00Z")
        #expect(try await store.show(bought.transactionId).state == .gracePeriod)
        try await store.advance(to: "2026-05-19T00:00:00Z")
        let ended = try await store.show(bought.transactionId)
        #expect(ended.state == .expired && ended.expirationReason == 5)
        #expect(!(try store.periods().contains { $0.contains("renewal") }))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `a deferred or interrupted subscription renews in time once released`(
        isInterrupted: Bool
    ) async throws {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        let running = try await store.store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .real, now: Timestamp(rfc3339: "2026-02-01T00:00:00Z")))
        #expect(running.status == 200)
        let set = try await store.store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(
                name: "buyer", needsApproval: !isInterrupted, interruptsPurchases: isInterrupted))
        #expect(set.status == 200)
        let asked = try await store.store.attempt(Fixture.silver, token: store.token)
        #expect(asked.status == 200)
        #expect(try store.periods().isEmpty)
        let released =
            isInterrupted
            ? try await store.store.control(
                "POST", "/control/v1/accounts/resolve", body: NamedAccountBody(name: "buyer"))
            : try await store.store.control("POST", "/control/v1/approvals/1/approve")
        #expect(released.status == 200)
        #expect(try store.periods().count == 1)
        store.store.move(byMilliseconds: 5_000)
        // Only a worker that was woken has set itself a timer.
        while try store.periods().count < 3 { try await Task.sleep(for: .milliseconds(5)) }
    }
}
