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

    @Test(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment))
    func `servers that behave badly get what they must and nobody waits for them`() throws {
        let lab = try Lab()
        let hosts = lab.folder + "/hosts"
        try Data(Self.hosts.utf8).write(to: URL(fileURLWithPath: hosts))
        // In a mount namespace of its own, whatever names this machine has.
        lab.storePrefix =
            ["/usr/bin/unshare", "--mount"] + (getuid() == 0 ? [] : ["--map-root-user"])
            + ["/bin/sh", "-c", #"mount --bind "$0" /etc/hosts && exec "$@""#, hosts]
        try run("notification_receivers.py", ["--hosts", hosts], in: lab)
    }

    private static let hosts = """
        127.0.0.1 localhost
        127.0.0.1 loopback.example.com
        ::1 loopback6.example.com
        ::ffff:127.0.0.1 mapped.example.com
        169.254.169.254 metadata.example.com

        """

    /// `BODEGA_SEED` chooses ten other seeds.
    @Test func `a server that follows Apple's advice knows all, whatever the disorder`() throws {
        let seed = ProcessInfo.processInfo.environment["BODEGA_SEED"].flatMap { Int($0) }
        let seeds = seed.map { "\($0)-\($0 + 9)" } ?? "1-2"
        try run("notification_disorder.py", ["--seeds", seeds])
    }

    /// Runs a program of `Tests/Verifiers` against a new store.
    private func run(
        _ name: String, _ options: [String] = [], byName: Bool = false, in lab: Lab? = nil
    ) throws {
        let output = try (lab ?? Lab()).verify(with: name, options, byName: byName)
        #expect(output.contains("all checks passed"))
    }
}
