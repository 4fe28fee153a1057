import Dispatch
import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// The clock that is set: what was due then has happened when that is answered.
struct SetClockTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `setting the clock returns after everything due is settled`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try store.copySubscription(3_000)
        let advance = try await store.setClock("2026-06-02T00:00:00Z")
        #expect(advance?.state == .done && advance?.renewals == 3_001 * 2)
        #expect(try store.periods().count == 3_001 * 3)
        #expect(try await store.show(id).renewals == 2)
        #expect(try await store.setClock("2026-06-02T00:00:01Z") == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func `setting a clock is accepted while what was due is still to be done`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        let held = await HeldRenewals(of: store.store.registry.defaultWorld)
        defer { held.goOn() }
        let accepted = try await store.store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(rfc3339: "2026-05-01T00:00:00Z")))
        #expect(accepted.status == 202)
        let body = try WireJSON.decode(ClockBody.self, from: accepted.body)
        #expect(body.now == Timestamp(rfc3339: "2026-05-01T00:00:00Z"))
        #expect(body.advance?.state == .running && body.advance?.renewals == 0)
        let again = try await store.store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: nil))
        #expect(again.status == 409 && errorCode(again) == "clockMoves")
        // There is no way back from a time that the clock shows already.
        let cancelled = try await store.store.control("DELETE", "/control/v1/clock/advance")
        let shown = try WireJSON.decode(ClockBody.self, from: cancelled.body)
        #expect(cancelled.status == 200 && shown.advance?.state == .running)
        held.goOn()
        let ended = try await store.ended(accepted)
        #expect(ended?.state == .done && ended?.renewals == 1)
        #expect(try store.periods().count == 2)
    }

    @Test func `no advance begins while the clock is being set`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let world = store.store.registry.defaultWorld
        let (began, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        world.database.write { _ in
            began.signal()
            goesOn.wait()
        } then: { _ in
        }
        await Task.detached { began.waitForIt() }.value
        let later = Timestamp(rfc3339: "2030-01-01T00:00:00Z")
        async let setting = store.store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: later))
        while !world.database.isWriterWanted { try await Task.sleep(for: .milliseconds(1)) }
        let early = try await store.store.control(
            "POST", "/control/v1/clock/advance", body: AdvanceClockBody(milliseconds: 1_000))
        #expect(early.status == 409 && errorCode(early) == "clockMoves")
        let second = try await store.store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: later))
        #expect(second.status == 409 && errorCode(second) == "clockMoves")
        goesOn.signal()
        #expect(try await setting.status == 200)
        let advance = try await store.advance(to: "2030-01-02T00:00:00Z")
        #expect(advance.from == later)
    }

    @Test func `a request behind too many renewals is refused and leaves the time unchanged`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        let paced = try await store.store.control(
            "PUT", "/control/v1/clock/pace",
            body: PacesBody(production: nil, sandbox: .oneRenewalEveryTwoSeconds))
        #expect(paced.status == 200)
        let world = store.store.registry.defaultWorld
        let held = await HeldRenewals(of: world)
        defer { held.goOn() }
        // The clock is set behind the worker's back: an hour after a month that was sold.
        let later = try #require(Timestamp(rfc3339: "2026-05-01T01:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        let before = world.time.current.recorded
        let answer = try await store.store.control(
            "POST", "/control/v1/subscriptions/\(bought.transactionId)/cancel")
        #expect(answer.status == 503 && errorCode(answer) == "busy")
        #expect(try store.periods().count == 1)
        #expect(world.time.current.recorded == before)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `a refused request still announces the renewals settled on its way`(isPurchase: Bool)
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        let world = store.store.registry.defaultWorld
        let later = try #require(Timestamp(rfc3339: "2026-05-02T00:00:00Z"))
        try world.database.write { try $0.setClock(.held(at: later)) }
        world.time.use(.held(at: later))
        let last = try world.database.read { try $0.lastEventNumber().rawValue }
        // One that hears of nothing ends after the 25 seconds it asks for.
        let made = try await store.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "other", password: "rocket-fuel-1", storefront: nil))
        try #require(made.status == 201)
        let ends = Lines()
        store.store.start(
            "GET", "/sandbox/device/v1/updates?after=0&wait=25",
            token: try await store.store.signIn(guid: UUID().uuidString, account: "other")
        ) { _ in ends.add("it") }
        async let news = store.store.send(
            "GET", "/sandbox/device/v1/updates?after=\(last)&wait=25", token: store.token)
        while store.store.parts.polls.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        if isPurchase {
            let refused = try await store.store.attempt(
                Fixture.gold, shown: 1, currency: "USD", token: store.token)
            #expect(
                try WireJSON.decode(AttemptAnswerBody.self, from: refused.body).refusal?.code
                    == .priceChanged)
        } else {
            let refused = try await store.store.control(
                "POST", "/control/v1/subscriptions/\(id)/choose",
                body: ChooseSubscriptionBody(productId: "com.example.rocketcar.none"))
            #expect(refused.status == 404)
        }
        let updates = try WireJSON.decode(UpdatesBody.self, from: await news.body)
        #expect(updates.events.map(\.kind) == [.purchased])
        #expect(ends.all.isEmpty, "it ended by itself")
    }
}

extension DispatchSemaphore {
    fileprivate func waitForIt() { wait() }
}
