import Foundation
import StoreWire
import TestSupport
import Testing

/// What is otherwise where a person looks: widths of tables, questions, how far something is.
@Suite(.ownThreads) struct TerminalTests {
    private static let columns: UInt16 = 60

    /// Runs a command on a pseudo-terminal on which a person types a line; gives its exit code and
    /// what is on the screen.
    private func see(
        _ lab: Lab, _ arguments: [String], typing line: String = "",
        environment: [String: String] = [:]
    ) throws -> (code: Int32, screen: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        defer { close(master) }
        // TIOCSPTLCK and TIOCGPTN: what unlockpt() and ptsname() do, which Glibc does not lend.
        var lock: Int32 = 0
        var number: Int32 = 0
        try #require(ioctl(master, 0x4004_5431, &lock) == 0)
        try #require(ioctl(master, 0x8004_5430, &number) == 0)
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(slave >= 0)
        var size = winsize(ws_row: 24, ws_col: Self.columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.folder + "/bodega")
        process.arguments = arguments
        process.environment = ["BODEGA_DATA": lab.storeData, "NO_COLOR": "1"].merging(environment) {
            $1
        }
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        close(slave)
        _ = Array(line.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        var screen: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // Ends with an error once the program has let go of its side.
        while case let count = read(master, &buffer, buffer.count), count > 0 {
            screen += buffer.prefix(count)
        }
        process.waitUntilExit()
        let text = String(decoding: screen, as: UTF8.self).replacing("\r\n", with: "\n")
        return (process.terminationStatus, text)
    }

    @Test func `a table fits the terminal, and is whole in a pipe`() throws {
        let lab = try Lab.open(withBackend: false)
        let list = ["product", "list", "--bundle-id", Lab.bundleID]
        let piped = try lab.bodega(list)
        let lines = piped.split(separator: "\n")
        #expect(lines.contains { $0.count > Int(Self.columns) })
        #expect(!piped.contains("…"))
        let seen = try see(lab, list)
        #expect(seen.code == 0)
        let cut = seen.screen.split(separator: "\n")
        #expect(cut.count == lines.count)
        #expect(cut.allSatisfy { $0.count <= Int(Self.columns) }, "\(seen.screen)")
        for (cut, whole) in zip(cut, lines) {
            #expect(cut.prefix { $0 != " " } == whole.prefix { $0 != " " }, "what is named stays")
        }
        #expect(cut.contains { $0.contains("…") })
        // The person's own word on it goes before the terminal's.
        #expect(try see(lab, list, environment: ["COLUMNS": "500"]).screen == piped)
    }

    @Test(arguments: ["reset", "restore", "seed"])
    func `the default world is replaced when somebody means it`(verb: String) throws {
        let lab = try Lab()
        try lab.startStore()
        let file = lab.folder + "/default.json"
        try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
        try lab.bodega(["world", "snapshot", "default", "s"])
        let typed =
            switch verb {
            case "seed": ["world", verb, file, "--replace"]
            case "restore": ["world", verb, "default", "s"]
            default: ["world", verb, "default"]
            }
        func world() throws -> String {
            let shown = try lab.bodega(["world", "show", "default", "--json"])
            return try WireJSON.decode(WorldDetailsBody.self, from: Array(shown.utf8)).id
        }
        let before = try world()
        let refused = try lab.bodega(typed, code: 2)
        #expect(refused.contains("bodega world \(verb) replaces the default world and everything"))
        #expect(refused.contains("add --yes"))
        let declined = try see(lab, typed, typing: "n\n")
        #expect(declined.code == 1)
        #expect(declined.screen.contains("Continue? [y/N] "), "\(declined.screen)")
        #expect(declined.screen.contains("the default world was not changed"))
        #expect(try see(lab, typed, typing: "\n").code == 1)
        #expect(try world() == before)
        let agreed = try see(lab, typed, typing: "y\n")
        #expect(agreed.code == 0, "\(agreed.screen)")
        let second = try world()
        #expect(second != before)
        try lab.bodega(typed + ["--yes"])
        #expect(try world() != second)
    }

    @Test func `a session is replaced without a question`() throws {
        let lab = try Lab()
        try lab.startStore()
        try lab.bodega(["world", "make", "tried"])
        try lab.bodega(["world", "reset", "tried"])
        #expect(try see(lab, ["world", "reset", "tried"]).screen.hasPrefix("reset tried"))
    }

    @Test func `without a terminal a long advance says how far it is, once in ten seconds`() throws
    {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        _ = try #require(try lab.buyAndKeep([Lab.club]).first)
        // Each renewal takes its time.
        _ = try SQLiteFile(lab.storeFile).rows(
            """
            CREATE VIEW slow AS WITH RECURSIVE
            number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000)
            SELECT count(*) AS count FROM number
            """)
        _ = try SQLiteFile(lab.storeFile).rows(
            """
            CREATE TRIGGER slowly BEFORE INSERT ON store_transaction
            BEGIN SELECT count FROM slow; END
            """)
        let start = Date()
        let advance = try Program(
            "bodega", ["clock", "advance", "2060-01-01"],
            environment: ["BODEGA_DATA": lab.storeData], logs: lab.folder + "/logs")
        let isTold = eventually { advance.errors.contains("\n") }
        try #require(isTold)
        #expect(Date().timeIntervalSince(start) >= 10)
        #expect(
            advance.errors.wholeMatch(of: /20\d\d-\d\d-\d\dT00:00:00Z, \d+ renewals\n/) != nil,
            "\(advance.errors)")
        advance.kill()
        lab.store?.kill()
    }
}
