import Foundation
import Glibc
import TestSupport
import Testing

@testable import StoreKit

/// A process that ends while a password is typed leaves the terminal as it was.
@Suite(.ownThreads) struct TerminalEndTests {
    enum End: Sendable, CaseIterable {
        case exit, terminate, hangUp, interrupt

        var signal: Int32? {
            switch self {
            case .exit: nil
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .interrupt: SIGINT
            }
        }
    }

    @Test(arguments: End.allCases)
    func `an interrupted password prompt turns echo on again`(end: End) throws {
        let shop = try Shop()
        let person = try SheetTests.Person(typing: "")
        let keeper = open(person.path, O_RDWR | O_NOCTTY)
        defer { close(keeper) }
        let modes = Self.modes(keeper)
        let session = try start(shop, person, isImpatient: end == .exit)
        // The leader of the session lives until the terminal was looked at: its end hangs it up.
        defer { try? session.input.fileHandleForWriting.close() }
        #expect(person.waits(for: "Account").contains("Account"))
        person.type("ada\n")
        #expect(person.waits(for: "Password: ").contains("Password: "))
        // The prompt is written before the terminal is silent.
        let deadline = Date(timeIntervalSinceNow: 120)
        while Self.modes(keeper) == modes, Date() < deadline { usleep(2_000) }
        #expect(Self.modes(keeper) & tcflag_t(ECHO) == 0)
        if let signal = end.signal { kill(session.pid, signal) }
        let last = String(
            decoding: session.output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(last.contains("ended \(end.signal.map { 128 + $0 } ?? 0)"))
        #expect(Self.modes(keeper) == modes)
    }

    static func modes(_ file: Int32) -> tcflag_t {
        var modes = termios()
        tcgetattr(file, &modes)
        return modes.c_lflag
    }

    struct Session {
        let pid: pid_t
        let input: Pipe
        let output: Pipe
    }

    /// Starts the probe in a session of its own, whose terminal is the person's.
    private func start(
        _ shop: Shop, _ person: SheetTests.Person, isImpatient: Bool
    ) throws -> Session {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        // The first terminal that the leader of a session opens becomes its own.
        let script = """
            exec 3<"$0"; sh -c 'echo $$; exec "$@" >/dev/null' sh "$@" <&3; echo ended $?; read end
            """
        process.arguments =
            ["sh", "-c", script, person.path, ProcessTests.built("PurchaseProbe").path]
            + (isImpatient ? ["--impatient"] : []) + [Shop.fuel]
        var settings = shop.settings()
        settings["STOREKIT_SHEET"] = "terminal"
        settings["STOREKIT_ACCOUNT"] = nil
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("STOREKIT_") }.merging(settings) { $1 }
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        return Session(pid: try #require(pid_t(line)), input: input, output: output)
    }
}
