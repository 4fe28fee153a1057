import Foundation
import TestSupport
import Testing

/// A running store's notifications, verified with Apple's App Store Server Library.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct NotificationLibraryTests {
    @Test func `Apple's library verifies the notification of everything that happens`() throws {
        try run("notifications.py")
    }

    @Test func `Apple's library asks for notifications by Apple's host names`() throws {
        try run("notifications.py", byName: true)
    }

    @Test func `version 1 follows Apple's table and is retried at its hours`() throws {
        try run("notifications_v1.py")
    }

    @Test func `each scenario is notified in the sequence that Apple documents`() throws {
        try run("notification_sequences.py")
    }

    @Test func `the history pages through one customer's notifications alone`() throws {
        try run("notification_history.py")
    }

    @Test func `servers that behave badly get what they must and nobody waits for them`() throws {
        try run("notification_receivers.py")
    }

    /// `BODEGA_SEED` chooses ten other seeds.
    @Test func `a server that follows Apple's advice knows all, whatever the disorder`() throws {
        let seed = ProcessInfo.processInfo.environment["BODEGA_SEED"].flatMap { Int($0) }
        let seeds = seed.map { "\($0)-\($0 + 9)" } ?? "1-2"
        try run("notification_disorder.py", ["--seeds", seeds])
    }

    /// Runs a program of `Tests/Verifiers` against a new store.
    private func run(_ name: String, _ options: [String] = [], byName: Bool = false) throws {
        let output = try Lab().verify(with: name, options, byName: byName)
        #expect(output.contains("all checks passed"))
    }
}
