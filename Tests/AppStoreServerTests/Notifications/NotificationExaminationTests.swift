import Foundation
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// What the doctor says of notifications.
struct NotificationExaminationTests {
    private let data = TemporaryFolder()
    private let worlds = TemporaryFolder()

    init() throws {
        try FileManager.default.createSymbolicLink(
            atPath: data.file("worlds"), withDestinationPath: worlds.path)
    }

    private func finding() -> Finding {
        Examination(
            directory: data.path, wall: WallClock { Timestamp(milliseconds: 1_800_000_000_000) }
        ).notifications()
    }

    @Test func `a world without an address has nothing to deliver`() throws {
        let store = try TestStore(folder: worlds)
        store.registry.close()
        #expect(finding().state == .good)
        #expect(finding().finding == "no app's server has an address")
    }

    @Test func `a file of a schema before notifications is no fault`() throws {
        let store = try TestStore(folder: worlds)
        try store.database.write { scope in
            for table in ["notification_attempt", "notification", "notification_target"] {
                try scope.execute("DROP TABLE \(table)")
            }
            try scope.execute("DELETE FROM schema_version WHERE number > 111")
            try scope.execute("INSERT OR IGNORE INTO schema_version (number) VALUES (111)")
        }
        store.registry.close()
        #expect(finding().state == .good)
        #expect(finding().finding == "none before the next start")
    }

    @Test func `a stopped store with notifications to deliver is a warning`() async throws {
        let store = try TestStore(folder: worlds)
        try await store.stock()
        try await store.notify()
        let later = store.registry.defaultWorld.time.now().adding(
            milliseconds: Timestamp.dayMilliseconds)
        try store.addTests(3, at: later)
        store.registry.close()
        #expect(finding().state == .warning)
        #expect(finding().finding == "3 are still to be delivered")
    }

    @Test func `what the sandbox gave up is counted and is no fault`() async throws {
        let store = try TestStore(folder: worlds)
        try await store.stock()
        try await store.notify()
        try store.addTests(2, at: store.registry.defaultWorld.time.now())
        try await store.waitForNotices(
            { $0.count == 2 }, "SELECT number FROM notification WHERE due_ms IS NULL")
        store.registry.close()
        #expect(finding().state == .good)
        #expect(
            finding().finding == "addresses: 1; still to be delivered: 0; given up (version 2): 2")
    }
}
