import Foundation
import TestSupport
import Testing

@testable import AppStoreServer

/// A simulated world, to whose copies some damage is done.
enum DamagedWorld {
    /// The world of the simulator in which everything happened that is damaged.
    private static let number = 49

    /// Made once.
    static let sound = Task { () async throws -> String in
        let shop = try await SimulatedShop(accounts: 50)
        var world = try SimulatedWorld(number, in: shop)
        try await world.run()
        let sound = TemporaryFolder.untilExit()
        try FileManager.default.copyItem(atPath: world.folder.path, toPath: sound.file("world"))
        return sound.file("world")
    }

    /// Changes a database as any other program would, or the book of the payment provider by lines
    /// of Python; refuses to change nothing.
    private static let damage = """
        import json, sqlite3, sys
        folder, file, change = sys.argv[1:]
        if file == "book":
            with open(folder + "/audit/book.json") as kept:
                text = kept.read()
            book = json.loads(text)
            exec(change)
            with open(folder + "/audit/book.json", "w") as kept:
                json.dump(book, kept)
            sys.exit(0 if book != json.loads(text) else 1)
        database = sqlite3.connect(folder + "/default.sqlite")
        database.executescript(change)
        database.commit()
        sys.exit(0 if database.total_changes else 1)
        """

    /// What the auditor says after a change, done to a copy.
    static func findings(
        after change: String? = nil, to file: Damage.File = .store
    ) async throws -> [String] {
        let sound = try await sound.value
        let folder = TemporaryFolder()
        let copy = folder.file("world")
        try FileManager.default.copyItem(atPath: sound, toPath: copy)
        if let change {
            let process = try Process.run(
                URL(fileURLWithPath: "/usr/bin/python3"),
                arguments: ["-c", damage, copy, file.rawValue, change])
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "nothing was damaged")
        }
        return try SubscriptionAuditor.findings(in: [copy])
    }
}

/// A statement that damages a world or the book of its payment provider, and the code of what must be found then.
struct Damage: Sendable, CustomTestStringConvertible {
    enum File: String {
        case store
        /// That of the payment provider; its statement is one of Python, about `book`.
        case book
    }

    let code: String
    let statement: String
    let file: File

    init(_ code: String, _ statement: String, to file: File = .store) {
        self.code = code
        self.statement = statement
        self.file = file
    }

    var testDescription: String { "\(code): \(statement)" }

    /// Lets the ledger be changed, which the database refuses otherwise.
    static let open = """
        DROP TRIGGER ledger_entry_stays; DROP TRIGGER ledger_posting_stays;
        DROP TRIGGER ledger_entry_is_kept; DROP TRIGGER ledger_posting_is_kept;
        """

    func check() async throws {
        let found = try await DamagedWorld.findings(after: statement, to: file)
        #expect(found.contains { $0.hasPrefix(code + ":") }, "\(found.prefix(9))")
    }
}
