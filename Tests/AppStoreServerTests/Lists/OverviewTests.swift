import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// A world at a glance.
struct OverviewTests {
    private static func exactly(_ count: Int) -> CountBody {
        CountBody(count: count, isExact: true)
    }

    private func overview(_ store: TestStore) async throws -> OverviewBody {
        try await store.list("/overview")
    }

    @Test func `an empty world has nothing, and says so exactly`() async throws {
        let body = try await overview(try TestStore())
        #expect(body.apps == 0 && body.world.name == "default" && body.clock.mode == .real)
        #expect(body.environments.map(\.environment) == [.production, .sandbox])
        for one in body.environments {
            let counts = [
                one.accounts, one.devices, one.transactions, one.refundRequests, one.approvals,
                one.interruptions, one.payments, one.failedNotifications,
            ]
            #expect(counts == Array(repeating: Self.exactly(0), count: counts.count))
            #expect(one.subscriptions == SubscriptionCountsBody([:], isExact: true))
        }
    }

    /// What waits for somebody and what was sold, in both environments.
    private func happen(in store: TestStore) async throws {
        let real = try await store.openProduction()
        try await store.topUp("20")
        let token = try await store.signIn()
        _ = try await store.buy(Samples.fuel, token: real, in: "/production")
        let turbo = try await store.buyAndFinish(Samples.turbo, token: token).transactionId
        _ = try await store.restore(token: token)
        _ = try await store.attempt(Samples.fuel, simulates: true, token: token)
        try await store.control(
            "POST", "/control/v1/accounts/settings",
            body: AccountSettingsBody(name: "buyer", interruptsPurchases: true)
        ).expectStatus(200)
        _ = try await store.attempt(Samples.fuel, token: token)
        try await store.control(
            "POST", "/control/v1/refunds/\(turbo)/request",
            body: RequestRefundBody(reason: .other)
        ).expectStatus(200)
    }

    @Test func `each environment counts its own`() async throws {
        let store = try TestStore()
        try await happen(in: store)
        let answer = try await store.control("GET", "/control/v1/overview")
        let body = try WireJSON.decode(OverviewBody.self, from: answer.body)
        let text = String(decoding: answer.body, as: UTF8.self)
            .replacing(body.world.id, with: "…")
        try Golden.check(Array(text.utf8), "control-overview.json")
        let (real, test) = (body.environments[0], body.environments[1])
        #expect(body.apps == 1)
        for one in [real, test] {
            #expect(one.accounts == Self.exactly(1) && one.devices == Self.exactly(1))
            // A restored copy is not counted.
            #expect(one.transactions == Self.exactly(1) && one.payments == Self.exactly(0))
        }
        #expect(real.refundRequests.count == 0 && test.refundRequests.count == 1)
        #expect(real.approvals.count == 0 && test.approvals.count == 1)
        #expect(real.interruptions.count == 0 && test.interruptions.count == 1)
    }

    @Test func `what was decided and who was deleted no longer counts`() async throws {
        let store = try TestStore()
        try await happen(in: store)
        let refunds: RefundsBody = try await store.list("/refunds")
        let id = try #require(refunds.refunds.first).transactionId
        try await store.control("POST", "/control/v1/refunds/\(id)/decline").expectStatus(200)
        let approvals: ApprovalsBody = try await store.list("/approvals")
        let number = try #require(approvals.approvals.first).number
        try await store.control("POST", "/control/v1/approvals/\(number)/decline")
            .expectStatus(200)
        try await store.control(
            "POST", "/control/v1/accounts/resolve", body: NamedAccountBody(name: "buyer")
        ).expectStatus(200)
        let test = try await overview(store).environments[1]
        #expect(test.refundRequests == Self.exactly(0) && test.approvals == Self.exactly(0))
        #expect(test.interruptions == Self.exactly(0) && test.transactions == Self.exactly(2))
        try await store.control(
            "POST", "/control/v1/accounts/delete",
            body: DeleteAccountBody(name: "buyer", requestId: UUID().uuidString)
        ).expectStatus(200)
        let left = try await overview(store).environments[1]
        #expect(left.accounts == Self.exactly(0) && left.transactions == Self.exactly(2))
    }

    @Test func `subscriptions are counted by state`() async throws {
        let shop = try await SubscriptionFixture()
        try await shop.buy()
        let active = try await overview(shop.store)
        #expect(
            active.environments.map(\.subscriptions) == [
                SubscriptionCountsBody([:], isExact: true),
                SubscriptionCountsBody([.active: 1], isExact: true),
            ])
        #expect(active.clock.mode == .held)
    }

    @Test func `a purchase that waits for its payment counts until it is paid`() async throws {
        let provider = ScriptedProvider([.unknown(why: "lost")])
        let store = try TestStore(provider: provider)
        let token = try await store.openProduction()
        async let sold = store.realAttempt(Samples.fuel, token: token)
        try await store.until { try await store.payments().first?.tries == 1 }
        let waiting = try await overview(store)
        #expect(waiting.environments.map(\.payments) == [Self.exactly(1), Self.exactly(0)])
        store.move(byMilliseconds: 1_000)
        store.registry.defaultWorld.payments?.wake()
        #expect(try await sold.state == .done)
        let paid = try await overview(store)
        #expect(paid.environments.map(\.payments) == [Self.exactly(0), Self.exactly(0)])
    }

    @Test func `notifications whose last attempt failed count`() async throws {
        let store = try TestStore()
        try await store.stock()
        // Nobody listens there.
        try await store.notify()
        try store.addTests(2, at: TestStore.start)
        try await store.waitForNotices(
            { $0.count == 2 }, "SELECT number FROM notification WHERE attempts > 0")
        let body = try await overview(store)
        #expect(
            body.environments.map(\.failedNotifications) == [Self.exactly(0), Self.exactly(2)])
    }

    @Test func `a count looks at the newest rows and says that there may be more`() async throws {
        let store = try TestStore()
        try await store.stock()
        let token = try await store.signIn()
        _ = try await store.buyAndFinish(Samples.turbo, token: token)
        for _ in 1...2 { _ = try await store.buy(Samples.fuel, token: token) }
        _ = try await store.restore(token: token)
        try store.registry.defaultWorld.database.read { scope in
            // The newest is a restored copy.
            for (lookedAtMax, expected) in [
                (1, CountBody(count: 0, isExact: false)), (2, CountBody(count: 1, isExact: false)),
                (5, CountBody(count: 3, isExact: true)),
            ] {
                let found = try scope.count(
                    .transactions, in: .sandbox, lookingAt: lookedAtMax)
                #expect(found == expected)
            }
        }
        let shop = try await SubscriptionFixture()
        try await shop.buy()
        try shop.store.registry.defaultWorld.database.read { scope in
            let found = try scope.subscriptionCounts(in: .sandbox, lookingAt: 1)
            #expect(found == SubscriptionCountsBody([.active: 1], isExact: false))
        }
    }

    @Test func `a transaction that a test deleted does not count`() async throws {
        let session = try await TestSessionFixture()
        let first = try await session.buy(Samples.turbo).transactionId
        #expect(try await session.delete(first).status == 204)
        let answer = try await session.store.control(
            "GET", "\(TestSessionFixture.control)/overview")
        let test = try WireJSON.decode(OverviewBody.self, from: answer.body).environments[1]
        #expect(test.transactions == Self.exactly(0) && test.accounts == Self.exactly(1))
    }
}
