import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// One subscription that cannot be settled holds up no other, and is made good later.
struct RenewalTroubleTests {
    private typealias Fixture = SubscriptionFixture

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let done: String
        let undone: String
    }

    static let damages = [
        Damage(
            testDescription: "a row that cannot be read",
            done: "UPDATE account SET storefront = 'XXX' WHERE name = 'buyer'",
            undone: "UPDATE account SET storefront = 'USA' WHERE name = 'buyer'"),
        Damage(
            testDescription: "a step that breaks a rule of the schema",
            done: """
                CREATE TRIGGER broken BEFORE INSERT ON store_transaction
                WHEN NEW.account_id = (SELECT id FROM account WHERE name = 'buyer')
                BEGIN SELECT RAISE(ABORT, 'broken'); END
                """,
            undone: "DROP TRIGGER broken"),
    ]

    /// Renewals by account, those of one that was damaged last.
    private func renewals(_ store: Fixture) throws -> [Int64] {
        try store.store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT count(t.id) FROM subscription s JOIN account a ON a.id = s.account_id
                LEFT JOIN store_transaction t ON t.original_id = s.original_id AND t.is_renewal = 1
                GROUP BY s.original_id ORDER BY a.name <> 'buyer' DESC, s.original_id
                """
            ).map { $0.integer(0) }
        }
    }

    @Test(arguments: damages)
    func `a damaged subscription is skipped and renewed once repaired, others renew in time`(
        damage: Damage
    ) async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let bought = try await store.buy()
        try store.copySubscription(3)
        let world = store.store.registry.defaultWorld
        try world.database.write { _ = try $0.execute(damage.done) }
        let advance = try await store.advance(to: "2026-06-02T00:00:00Z")
        #expect(advance.renewals == 6)
        #expect(advance.leftOut == 1, "done, but for one of them")
        #expect(advance.leftOutSubscriptions == [bought.transactionId])
        #expect(try renewals(store) == [2, 2, 2, 0])
        let logged = store.store.lines.all.filter { $0.contains("renewalSetAside") }
        #expect(logged.count == 1 && logged[0].contains(bought.transactionId), "\(logged)")
        // It is left out for a minute.
        try world.database.write { _ = try $0.execute(damage.undone) }
        let next = try await store.advance(to: "2026-06-03T00:00:00Z")
        #expect(next.leftOut == 1, "one that was left out before counts as well")
        #expect(try renewals(store) == [2, 2, 2, 0])
        store.store.move(byMilliseconds: SetAside.pauseMilliseconds + 1)
        world.renewals.wake()
        while try renewals(store).last != 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(
            try store.periods().filter { $0.contains("renewal") }.count == 8,
            "each of them has its periods once")
        let events = try world.database.read {
            try $0.rows("SELECT at_ms FROM event ORDER BY number").map { $0.integer(0) }
        }
        #expect(events == events.sorted())
        let last = try await store.advance(to: "2026-06-04T00:00:00Z")
        #expect(last.leftOut == 0 && last.leftOutSubscriptions.isEmpty)
    }

    @Test func `when many subscriptions are skipped, the first ones are named`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        try store.copySubscription(14)
        try store.store.registry.defaultWorld.database.write {
            _ = try $0.execute("UPDATE subscription SET period = 'P5D'")
        }
        let advance = try await store.advance(to: "2026-06-02T00:00:00Z")
        #expect(advance.leftOut == 15 && advance.renewals == 0)
        let named = advance.leftOutSubscriptions
        #expect(named.count == ClockAdvanceBody.leftOutNamedMax && Set(named).count == named.count)
    }

    @Test func `a rolled-back commit leaves no trace in the recorded time`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        let world = store.store.registry.defaultWorld
        let before = world.time.current.recorded
        try world.database.write { _ = try $0.execute(Self.damages[1].done) }
        try await store.advance(to: "2026-06-02T00:00:00Z")
        #expect(try renewals(store) == [0])
        #expect(world.time.current.recorded == before)
        #expect(try world.database.read { try $0.lastRecorded() } == before)
    }

    @Test func `the number of skipped subscriptions is limited`() {
        var aside = SetAside()
        let now = Timestamp(seconds: 1_000)
        let added = (1...Int64(SetAside.countMax)).map { number in
            aside.add(TransactionID(number), at: now)
        }
        #expect(!added.contains(false))
        let (again, beyond) = (
            aside.add(TransactionID(1), at: now), aside.add(TransactionID(0), at: now)
        )
        #expect(again && !beyond)
        let later = now.adding(milliseconds: SetAside.pauseMilliseconds)
        #expect(aside.next == later)
        let present = aside.present(at: now)
        #expect(present.count == SetAside.countMax)
        let left = aside.present(at: later)
        #expect(left.isEmpty && aside.next == nil)
    }

    @Test(arguments: [
        (DatabaseError.Code.constraint, true), (.notADatabase, true), (.diskFull, false),
        (.inputOutput, false), (.olderSchema, false), (.newerSchema, false), (.unavailable, false),
        (.other, false),
    ])
    func `a failure of the database itself is not blamed on a subscription`(
        code: DatabaseError.Code, isOwn: Bool
    ) {
        let error = DueTrouble.of(TransactionID(1), DatabaseError(code: code, detail: ""))
        #expect((error is DueTrouble) == isOwn)
    }
}
