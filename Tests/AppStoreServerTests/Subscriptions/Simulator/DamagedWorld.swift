import Foundation
import Testing

@testable import AppStoreServer

/// A simulated world, to whose copies some damage is done.
enum DamagedWorld {
    /// The world of the simulator in which everything happened that is damaged.
    private static let number = 3

    /// Made once.
    static let sound = Task { () async throws -> TemporaryFolder in
        let shop = try await SimulatedShop(accounts: 50)
        var world = try SimulatedWorld(number, in: shop)
        try await world.run()
        return world.folder
    }

    /// Changes a database as any other program would; refuses to change nothing.
    private static let damage = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.executescript(sys.argv[2])
        database.commit()
        sys.exit(0 if database.total_changes else 1)
        """

    /// What the auditor says after a statement, done to a copy.
    static func findings(after statement: String? = nil) async throws -> [String] {
        let sound = try await sound.value
        let copy = NSTemporaryDirectory() + "bodega-audit-copy-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: sound.path, toPath: copy)
        if let statement {
            let process = try Process.run(
                URL(fileURLWithPath: "/usr/bin/python3"),
                arguments: ["-c", damage, copy + "/default.sqlite", statement])
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "nothing was damaged")
        }
        return try SubscriptionAuditor.findings(in: [copy])
    }
}

/// A statement that damages a world, and the code of what must be found then.
struct Damage: Sendable, CustomTestStringConvertible {
    let code: String
    let statement: String

    init(_ code: String, _ statement: String) {
        self.code = code
        self.statement = statement
    }

    var testDescription: String { "\(code): \(statement)" }

    /// Lets the ledger be changed, which the database refuses otherwise.
    static let open = """
        DROP TRIGGER ledger_entry_stays; DROP TRIGGER ledger_posting_stays;
        DROP TRIGGER ledger_entry_is_kept; DROP TRIGGER ledger_posting_is_kept;
        """

    func check() async throws {
        let found = try await DamagedWorld.findings(after: statement)
        #expect(found.contains { $0.hasPrefix(code + ":") }, "\(found.prefix(9))")
    }
}
