import StoreDatabase
import StoreModel
import StoreRules
import Testing

@testable import AppStoreServer

/// What is deleted of old notifications, and what is not.
struct NotificationSweepTests {
    private static let days = Limits.notificationDays

    /// A store whose clock is held, and whose notifications are made by hand.
    private func store() async throws -> TestStore {
        let store = try TestStore()
        try await store.stock()
        try await store.notify()
        try hold(store, after: 0)
        return store
    }

    private func after(_ days: Int64) -> Timestamp {
        TestStore.start.adding(milliseconds: days * Timestamp.dayMilliseconds)
    }

    private func hold(_ store: TestStore, after days: Int64) throws {
        let moment = after(days)
        try store.database.write { try $0.setClock(.held(at: moment)) }
        store.registry.defaultWorld.time.use(.held(at: moment))
    }

    /// As many as given, delivered, with an attempt each and a header that they share.
    private func addDelivered(
        _ count: Int, to store: TestStore, at days: Int64 = 0, head: String
    ) throws {
        try store.addTests(count, at: after(days)) { scope, first in
            try scope.insert(
                into: "signed_head", ["number": try scope.next("signed_head"), "head": head])
            try scope.execute(
                """
                UPDATE notification SET is_signed = 1, attempts = 1, due_ms = NULL,
                    last_result = 'SUCCESS',
                    head_number = (SELECT number FROM signed_head WHERE head = ?2)
                WHERE number >= ?1
                """, [first, head])
            try scope.execute(
                """
                INSERT INTO notification_attempt (notification_number, place, at_ms, result)
                SELECT number, 1, made_ms, 'SUCCESS' FROM notification WHERE number >= ?1
                """, [first])
        }
    }

    private func attempts(_ store: TestStore) throws -> [Int64] {
        try store.notices("SELECT notification_number FROM notification_attempt")
    }

    @Test func `the oldest go with their attempts and headers, those still due stay`() async throws
    {
        let store = try await store()
        // Several commits of them.
        try addDelivered(600, to: store, head: "old")
        try store.database.write { scope in
            // One is to be sent again when all is over, one at the end of time.
            _ = try scope.execute("UPDATE notification SET due_ms = 4102444800000 WHERE number = 7")
        }
        try hold(store, after: Self.days)
        try addDelivered(1, to: store, at: Self.days, head: "new")
        let sweep = NotificationSweep(
            database: store.database, time: store.registry.defaultWorld.time)
        #expect(try !sweep.step() && store.notices().count == 601, "none is too old yet")
        try hold(store, after: Self.days + 1)
        try await store.waitForNotices({ $0.count == 2 }, "SELECT number FROM notification")
        #expect(try store.notices() == [7, 601])
        #expect(try attempts(store) == [7, 601])
        #expect(try store.notices("SELECT number FROM signed_head") == [1, 2])
        try store.database.write { scope in
            _ = try scope.execute("UPDATE notification SET due_ms = NULL WHERE number = 7")
        }
        try hold(store, after: Self.days + 3)
        try await store.waitForNotices({ $0.count == 1 }, "SELECT number FROM notification")
        #expect(try store.notices() == [601] && attempts(store) == [601])
        #expect(try store.notices("SELECT number FROM signed_head") == [2])
        for path in ["", "/resend"] {
            let answer = try await store.control(
                path.isEmpty ? "GET" : "POST", "/control/v1/notifications/7\(path)")
            #expect(answer.status == 404)
        }
    }

    @Test func `a test of the future does not keep what is old`() async throws {
        let store = try await store()
        try addDelivered(1, to: store, at: 2 * Self.days, head: "future")
        try addDelivered(2, to: store, head: "old")
        try hold(store, after: Self.days + 1)
        try await store.waitForNotices({ $0 == [1] }, "SELECT number FROM notification")
    }

    @Test func `what is made due while a commit sweeps stays`() async throws {
        let store = try await store()
        try addDelivered(2, to: store, head: "old")
        try store.database.write { scope in
            _ = try scope.execute("UPDATE notification SET due_ms = 4102444800000 WHERE number = 1")
            try scope.deleteNotifications([NotificationNumber(1), NotificationNumber(2)])
        }
        #expect(try store.notices() == [1] && attempts(store) == [1])
    }

    @Test func `an attempt under way does not bring back what was deleted`() async throws {
        let store = try await store()
        try addDelivered(1, to: store, head: "old")
        let sent = DueNotification(
            number: NotificationNumber(1), lane: -1, dueAt: TestStore.start, attempts: 1,
            text: NotificationText(
                version: .v2, body: [], seal: nil, transaction: nil, renewal: nil))
        let isMore = try store.database.write { scope in
            try scope.deleteNotifications([NotificationNumber(1)])
            return try scope.note(
                SendAttempt(at: TestStore.start, result: .timedOut), of: sent, next: nil)
        }
        #expect(!isMore)
        #expect(try store.notices().isEmpty && attempts(store).isEmpty)
    }

    @Test func `a history begins no earlier than what is kept for it`() {
        for environment in StoreEnvironment.allCases {
            #expect(Limits.notificationHistoryDays(environment) <= Self.days)
        }
    }
}
