import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// The worker that settles what is due: with the real clock, after downtime, in order, and once.
struct RenewalWorkerTests {
    private typealias Fixture = SubscriptionFixture

    /// Waits until a count of periods is there.
    private func wait(for count: Int, _ store: Fixture) async throws {
        while try store.periods().count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func `a running clock renews subscriptions by itself and tells the device`() async throws
    {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        let running = try await store.store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .real, now: Timestamp(rfc3339: "2026-02-01T00:00:00Z")))
        #expect(running.status == 200)
        let bought = try await store.buy()
        async let news = store.store.send(
            "GET", "/sandbox/device/v1/updates?after=1&wait=25", token: store.token)
        // The test's clock stands still; the store hears that it was set.
        store.store.move(byMilliseconds: 5_000)
        store.store.registry.defaultWorld.renewals.wake()
        let updates = try WireJSON.decode(UpdatesBody.self, from: await news.body)
        let renewal = try #require(updates.events.first?.transaction)
        #expect(updates.events.first?.kind == .purchased)
        #expect(renewal.originalTransactionId == bought.transactionId)
        #expect(renewal.original == nil && renewal.isFinished == nil)
        try await wait(for: 3, store)
        let starts = try store.store.registry.defaultWorld.database.read {
            try $0.rows("SELECT purchased_ms, expires_ms FROM store_transaction ORDER BY id").map {
                [$0.integer(0), $0.integer(1)]
            }
        }
        for (before, after) in zip(starts, starts.dropFirst()) { #expect(before[1] == after[0]) }
    }

    @Test func `renewals missed while the store was down are made up in order`() async throws {
        let folder = TemporaryFolder()
        var first: Fixture? = try await Fixture(
            at: "2026-04-01T00:00:00Z", store: try TestStore(folder: folder))
        let bought = try #require(try await first?.buy())
        for name in ["second", "third"] {
            let made = try await first?.store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: name, password: "rocket-fuel-1",
                    storefront: nil))
            #expect(made?.status == 201)
            let token = try #require(
                try await first?.store.signIn(guid: UUID().uuidString, account: name))
            _ = try await first?.store.buy(
                name == "second" ? Fixture.gold : Fixture.silverYear, token: token)
        }
        // Its clock is set by hand, behind the store's back, as if it had stood for a year.
        let later = try #require(Timestamp(rfc3339: "2027-04-02T00:00:00Z"))
        try first?.store.registry.defaultWorld.database.write { try $0.setClock(.held(at: later)) }
        first?.store.registry.close()
        first = nil
        let second = try TestStore(folder: folder)
        let database = second.registry.defaultWorld.database
        while try database.read({ try $0.dueCount(until: second.registry.defaultWorld.time.now()) })
            > 0
        { try await Task.sleep(for: .milliseconds(5)) }
        let renewals = try database.read {
            try $0.rows(
                """
                SELECT purchased_ms, original_id FROM store_transaction WHERE is_renewal = 1
                ORDER BY id
                """
            ).map { [$0.integer(0), $0.integer(1)] }
        }
        #expect(renewals.count == 12 + 12 + 1)
        #expect(renewals.map { $0[0] } == renewals.map { $0[0] }.sorted())
        let events = try database.read {
            try $0.rows("SELECT at_ms FROM event ORDER BY number").map { $0.integer(0) }
        }
        #expect(events == events.sorted())
        #expect(
            renewals.filter { $0[1] == Int64(bought.transactionId) }.count == 12)
    }

    @Test func `an advance in many commits keeps the order over all subscriptions`() async throws {
        let store = try await Fixture(pace: .oneRenewalEveryTenSeconds)
        try await store.buy()
        // A thousand of them, at moments of their own, with periods of their own.
        try store.copySubscription(1_000)
        let advance = try await store.advance(to: "2026-01-31T10:01:00Z")
        let expected = try store.store.registry.defaultWorld.database.read {
            try $0.row("SELECT count(*) FROM store_transaction WHERE is_renewal = 1")?.integer(0)
        }
        #expect(advance.renewals == expected && advance.renewals > 4_000)
        let dates = try store.store.registry.defaultWorld.database.read {
            try $0.rows(
                """
                SELECT purchased_ms, original_id FROM store_transaction WHERE is_renewal = 1
                ORDER BY id
                """
            ).map { [$0.integer(0), $0.integer(1)] }
        }
        #expect(zip(dates, dates.dropFirst()).allSatisfy { ($0[0], $0[1]) < ($1[0], $1[1]) })
    }

    @Test func `a cancelled advance leaves the clock at the last settled event`() async throws {
        let store = try await Fixture(pace: .oneRenewalEveryTwoSeconds)
        try await store.buy()
        try store.copySubscription(2_000)
        async let answer = store.store.control(
            "POST", "/control/v1/clock/advance", body: AdvanceClockBody(milliseconds: 600_000))
        while store.store.registry.defaultWorld.renewals.advance == nil {
            try await Task.sleep(for: .milliseconds(1))
        }
        let set = try await store.store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: nil))
        #expect(set.status == 409 && errorCode(set) == "clockMoves")
        let cancelled = try await store.store.control("DELETE", "/control/v1/clock/advance")
        let clock = try WireJSON.decode(ClockBody.self, from: cancelled.body)
        #expect(clock.advance?.state == .cancelled)
        let last = try store.store.registry.defaultWorld.database.read {
            try $0.lastRecorded()
        }
        #expect(clock.now == last || clock.now == Timestamp(rfc3339: "2026-01-31T10:00:00Z"))
        // 202 on a machine that needs longer than a request may wait.
        #expect([200, 202].contains(try await answer.status))
        // It goes on from there.
        _ = try await store.store.control(
            "POST", "/control/v1/clock/advance", body: AdvanceClockBody(milliseconds: 2_000))
        try await store.store.until {
            let clock = try await store.store.control("GET", "/control/v1/clock")
            return try WireJSON.decode(ClockBody.self, from: clock.body).advance?.state == .done
        }
    }

    @Test(arguments: [
        AdvanceClockBody(),
        AdvanceClockBody(milliseconds: 1, to: Timestamp(seconds: 2_000_000_000)),
        AdvanceClockBody(milliseconds: -1), AdvanceClockBody(to: Timestamp(seconds: 1_000_000_000)),
        AdvanceClockBody(to: Timestamp(seconds: 9_000_000_000)),
    ])
    func `an advance without a valid target is refused`(body: AdvanceClockBody) async throws {
        let store = try await Fixture()
        let answer = try await store.store.control("POST", "/control/v1/clock/advance", body: body)
        #expect([409, 422].contains(answer.status))
        #expect(store.store.registry.defaultWorld.renewals.advance == nil)
    }
}

extension SubscriptionFixture {
    /// Copies the one subscription there is for as many other accounts, due at moments of
    /// their own, up to two seconds before it.
    func copySubscription(_ count: Int) throws {
        let offsets = (0..<Int64(count)).map { $0 * 7_919 % 2_000 }
        try store.registry.defaultWorld.database.write { scope in
            let all = try scope.reading.namedSubscriptions(after: 0, countMax: 1)
            let kept = try #require(all.first?.kept)
            let sample = try #require(try scope.reading.transaction(kept.newest))
            let storefront = try #require(Storefront(countryCode: "USA"))
            for (index, offset) in offsets.enumerated() {
                let made = try scope.addAccount(
                    "copy\(index)", in: .sandbox, storefront: storefront, passwordHash: "x",
                    now: sample.purchasedAt)
                let account = try #require(made)
                let id = try scope.nextTransactionID(.sandbox)
                let start = sample.purchasedAt
                let end = kept.state.expiresAt.adding(milliseconds: -offset)
                try scope.addTransaction(
                    StoreTransaction(
                        id: id, original: id, environment: .sandbox, app: sample.app,
                        account: account, device: sample.device,
                        attempt: AttemptID("copy \(index)"), product: sample.product,
                        kind: .autoRenewable, quantity: 1, purchasedAt: start,
                        originallyPurchasedAt: start, charged: sample.charged, storefront: "USA",
                        applicationUsername: nil, finishedAt: nil,
                        subscription: SubscribedPeriod(
                            group: kept.group, expiresAt: end, offer: nil, isRenewal: false)))
                var state = Subscription(
                    original: id, product: kept.state.product, period: kept.state.period,
                    startedAt: start, expiresAt: end, anchor: kept.state.anchor,
                    price: kept.state.price)
                state.anchor = Subscription.Anchor(at: end, months: 0)
                try scope.save(
                    SubscriptionRecord(
                        environment: .sandbox, app: kept.app, account: account,
                        group: kept.group, boughtAt: start, newest: id, device: kept.device,
                        state: state))
            }
        }
    }
}
