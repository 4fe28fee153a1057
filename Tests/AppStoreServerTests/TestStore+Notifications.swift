import StoreDatabase
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

// An app's server that is notified, though nobody listens there.
extension TestStore {
    var database: Database { registry.defaultWorld.database }

    /// Has the sample app notified from now on.
    func notify() async throws {
        var body = SetNotificationTargetBody(url: "http://127.255.255.254:1024/")
        body.allowsPrivateAddresses = true
        let set = try await control(
            "PUT", "/control/v1/apps/\(Self.bundleID)/notification-targets/sandbox", body: body)
        try #require(set.status == 200, "\(String(decoding: set.body, as: UTF8.self))")
    }

    /// Stores tests that were made at a moment; `then` may change them before the worker sees them.
    func addTests(
        _ count: Int = 1, at moment: Timestamp,
        then change:
            @escaping @Sendable (borrowing WriteScope, _ first: NotificationNumber) throws -> Void =
            {
                _, _ in
            }
    ) throws {
        try database.write { scope in
            let app = try scope.reading.knownApp(Self.bundleID)
            let target = try #require(
                try scope.reading.notificationTarget(of: app.id, in: .sandbox))
            let first = try scope.addTest(to: target, app, at: moment).number
            for _ in 1..<max(count, 1) { _ = try scope.addTest(to: target, app, at: moment) }
            try change(scope, first)
        }
    }

    /// The numbers of a column of notifications, in their order.
    func notices(_ sql: String = "SELECT number FROM notification") throws -> [Int64] {
        try database.read { try $0.values(sql + " ORDER BY 1") }
    }

    func waitForNotices(_ isMeant: ([Int64]) -> Bool, _ sql: String) async throws {
        try await until { isMeant(try notices(sql)) }
    }
}
