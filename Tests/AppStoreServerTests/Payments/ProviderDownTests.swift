import Foundation
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// A payment provider that is away for a while, or for good.
struct ProviderDownTests {
    private typealias Fixture = SubscriptionFixture

    /// A world whose one subscription is to renew, which nobody answered, and its closed store.
    private func closed(
        in folder: TemporaryFolder
    ) async throws -> (shop: ProviderShop, silver: String) {
        let shop = try await ProviderShop(folder: folder)
        let silver = try await shop.buy()
        shop.provider.answerNext([.unknown(why: "lost")])
        try await shop.shop.setClock("2026-05-01T00:00:01Z")
        try await shop.unanswered()
        shop.store.registry.close()
        return (shop, silver)
    }

    private func show(_ original: String, in store: TestStore) async throws -> SubscriptionBody {
        let answer = try await store.control("GET", "/control/v1/subscriptions/\(original)")
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    private func setClock(_ moment: String, of store: TestStore) async throws -> Int {
        try await store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(rfc3339: moment))
        ).status
    }

    @Test func `a renewal resumes with the payment it had requested`() async throws {
        let folder = TemporaryFolder()
        let (shop, silver) = try await closed(in: folder)
        let store = try TestStore(
            folder: folder, at: TestStore.start.adding(milliseconds: 2_000),
            provider: shop.provider)
        try await store.settlePayments()
        #expect(
            shop.asked(after: 2) == ["authorize 9990", "authorize 9990", "capture 9990"])
        #expect(try await store.payments().filter { $0.purpose == .renewal }.count == 1)
        #expect(try await show(silver, in: store).renewals == 1)
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `a renewal fails without its provider and is paid once there is one`()
        async throws
    {
        let folder = TemporaryFolder()
        let (shop, silver) = try await closed(in: folder)
        let later = TestStore.start.adding(milliseconds: PaymentRules.authorizationMilliseconds)
        let without = try TestStore(folder: folder, at: later)
        try await without.until { try await show(silver, in: without).state == .billingRetry }
        #expect(without.lines.all.contains { $0.contains("paymentsUnsettled") })
        // Whether it was authorized is not known, and it is let go of when there is somebody to ask.
        #expect(try await without.payments().last?.state == .voiding)
        #expect(shop.asked(after: 2) == ["authorize 9990"])
        // Credit alone pays meanwhile, and there is none.
        #expect(try await setClock("2026-05-02T00:00:02Z", of: without) == 200)
        #expect(try await show(silver, in: without).state == .billingRetry)
        #expect(try await without.payments().count == 2)
        without.registry.close()
        let again = try TestStore(
            folder: folder, at: later.adding(milliseconds: 600_000), provider: shop.provider)
        try await again.settlePayments()
        #expect(shop.asked(after: 3) == ["void"])
        #expect(try await setClock("2026-05-03T00:00:02Z", of: again) == 200)
        try await again.settlePayments()
        #expect(shop.asked(after: 4) == ["authorize 9990", "capture 9990"])
        #expect(try await again.payments().map(\.state) == [.captured, .voided, .captured])
        #expect(try await show(silver, in: again).state == .active)
        #expect(try again.ledger().filter { $0.hasPrefix("charge") }.count == 2)
        #expect(try again.ledgerFinding().state == .good)
    }

    @Test(arguments: [true, false])
    func `an answer is awaited for the full quarter of an hour`(isInTime: Bool) async throws {
        let provider = ScriptedProvider([.unknown(why: "lost")])
        let store = try TestStore(provider: provider)
        let token = try await store.openProduction()
        async let first = store.attempt(Samples.fuel, token: token, in: "/production")
        try await store.until { try await store.payments().last?.tries == 1 }
        store.move(
            byMilliseconds: PaymentRules.authorizationMilliseconds - (isInTime ? 1 : 0))
        store.registry.defaultWorld.payments?.wake()
        let answer = try WireJSON.decode(AttemptAnswerBody.self, from: try await first.body)
        try await store.settlePayments()
        if isInTime {
            #expect(answer.state == .done)
            #expect(provider.asked == ["authorize 990", "authorize 990", "capture 990"])
        } else {
            #expect(answer.refusal?.code == .paymentUnavailable)
            #expect(provider.asked == ["authorize 990", "void"])
        }
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test
    func `an unknown payment is polled at growing intervals and once more before it is given up`()
        async throws
    {
        let lost = ProviderOutcome.unknown(why: "lost")
        let provider = ScriptedProvider(Array(repeating: lost, count: 11))
        let store = try TestStore(provider: provider)
        let token = try await store.openProduction()
        async let first = store.attempt(Samples.fuel, token: token, in: "/production")
        var (passed, pauses): (Int64, [Int64]) = (0, [])
        for tries in 1...10 {
            try await store.until { try await store.payments().last?.tries == Int64(tries) }
            let next = try #require(
                try store.registry.defaultWorld.database.read {
                    try $0.nextProviderTask(except: [])
                })
            let pause = next.milliseconds - TestStore.start.milliseconds - passed
            passed += pause
            pauses.append(pause / 1_000)
            store.move(byMilliseconds: pause)
            store.registry.defaultWorld.payments?.wake()
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
        #expect(passed <= PaymentRules.authorizationMilliseconds)
        try await store.until { try await store.payments().last?.tries == 11 }
        store.move(byMilliseconds: PaymentRules.authorizationMilliseconds - passed)
        store.registry.defaultWorld.payments?.wake()
        _ = try await first
        try await store.settlePayments()
        #expect(provider.asked == Array(repeating: "authorize 990", count: 11) + ["void"])
        #expect(try await store.payments().map(\.state) == [.voided])
    }

    @Test func `the clock is not set back behind a provider request`() async throws {
        let folder = TemporaryFolder()
        let provider = ScriptedProvider([.unknown(why: "lost")])
        let before = try TestStore(folder: folder, provider: provider)
        let token = try await before.openProduction()
        #expect(try await setClock("2026-05-01T00:00:00Z", of: before) == 200)
        async let first = before.attempt(Samples.fuel, token: token, in: "/production")
        try await before.until { try await before.payments().last?.tries == 1 }
        let asked = Timestamp(rfc3339: "2026-05-01T00:00:00Z")
        let recorded = try before.registry.defaultWorld.database.read { try $0.lastRecorded() }
        #expect(recorded == asked)
        #expect(try before.ledger() == [], "nothing else happened at that moment")
        #expect(try await setClock("2026-04-30T23:59:59Z", of: before) == 409)
        before.registry.close()
        _ = try await first
        // Nothing in memory says so now.
        provider.answerNext([.unknown(why: "lost")])
        let after = try TestStore(folder: folder, provider: provider)
        #expect(try await setClock("2026-04-30T23:59:59Z", of: after) == 409)
        #expect(try await setClock("2026-05-01T00:00:00Z", of: after) == 200)
    }
}
