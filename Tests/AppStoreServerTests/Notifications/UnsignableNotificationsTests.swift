import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// Notifications that cannot be signed rest, and hold up no other.
struct UnsignableNotificationsTests {
    private static let signed = "SELECT number FROM notification WHERE is_signed <> 0"
    /// No certificate is valid then.
    private static let never = Timestamp(milliseconds: 7_000_000_000_000)

    private func logged(_ store: TestStore) -> Int {
        store.lines.all.count { $0.contains("notificationUnsigned") }
    }

    /// Lets what could not be signed be signed from now on.
    private func mend(_ store: TestStore) throws {
        try store.database.write {
            _ = try $0.execute(
                "UPDATE notification SET made_ms = ?1 WHERE is_signed = 0", [TestStore.start])
        }
    }

    @Test func `they are tried again after a rest, and new ones are signed meanwhile`() async throws
    {
        let store = try TestStore()
        try await store.stock()
        try await store.notify()
        try store.addTests(300, at: Self.never)
        try store.addTests(at: TestStore.start)
        try await store.waitForNotices({ $0 == [301] }, Self.signed)
        try mend(store)
        try store.addTests(at: TestStore.start)
        try await store.waitForNotices({ $0 == [301, 302] }, Self.signed)
        #expect(logged(store) == 300)
        store.move(byMilliseconds: UnsignableNotifications.milliseconds.lowerBound + 1)
        store.registry.defaultWorld.notifications.wake()
        try await store.waitForNotices({ $0.count == 302 }, Self.signed)
        #expect(logged(store) == 300)
    }

    @Test func `a start tries all of them`() async throws {
        let folder = TemporaryFolder()
        var first: TestStore? = try TestStore(folder: folder)
        try await first?.stock()
        try await first?.notify()
        try first?.addTests(at: Self.never)
        try first?.addTests(at: TestStore.start)
        try await first?.waitForNotices({ $0 == [2] }, Self.signed)
        if let first { try mend(first) }
        first?.registry.close()
        first = nil
        let second = try TestStore(folder: folder)
        try await second.waitForNotices({ $0 == [1, 2] }, Self.signed)
    }

    @Test func `they rest longer each time, and begin anew once all are signed`() {
        var rest = UnsignableNotifications()
        var now = TestStore.start
        func turn(failing numbers: [Int64]) -> Int64? {
            let place = rest.begin(at: now)
            for number in numbers where number > place?.rawValue ?? 0 {
                _ = rest.add(NotificationNumber(number))
                rest.passed(NotificationNumber(number))
            }
            guard case .rest(let milliseconds) = rest.end(.untilWoken, at: now) else { return nil }
            return milliseconds
        }
        #expect(turn(failing: [1, 2]) == 60_000)
        now = now.adding(milliseconds: 20_000)
        #expect(turn(failing: [1, 2]) == 40_000)
        #expect(rest.begin(at: now) == NotificationNumber(2))
        for minutes: Int64 in [2, 4, 8, 16, 32, 60, 60] {
            now = now.adding(milliseconds: 3_600_000)
            #expect(turn(failing: [1, 2]) == minutes * 60_000)
        }
        now = now.adding(milliseconds: 3_600_000)
        #expect(turn(failing: []) == nil)
        #expect(turn(failing: [3]) == 60_000)
        // A clock that was set back makes no rest longer.
        now = now.adding(milliseconds: -86_400_000)
        #expect(rest.begin(at: now) == nil)
    }
}
