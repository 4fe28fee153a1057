import StoreHTTP
import StoreModel
import StoreService
import StoreWire
import Synchronization
import Testing

@testable import StoreConsole

/// How sessions of a console begin, what keeps them, and what ends them.
struct ConsoleSessionsTests {
    private static let token = "the-owner-s-token-of-forty-letters-or-so"
    private static let wrong = Refusal(401, "tokenWrong", "The token is wrong.")

    /// Sessions, and their clock.
    private final class Bench: Sendable {
        private let time = Mutex<Int64>(1_000_000)
        private let noted: Notes
        let sessions: ConsoleSessions

        init() {
            let (read, noted) = (Box(), Notes())
            self.noted = noted
            sessions = ConsoleSessions(
                of: .store, wall: WallClock { Timestamp(milliseconds: read.now()) },
                wrongToken: ConsoleSessionsTests.wrong,
                isOwnersToken: { $0 == ConsoleSessionsTests.token },
                note: { happening in noted.list.withLock { $0.append(happening) } })
            read.bench.withLock { $0 = self }
        }

        func pass(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

        func makeCode(isReadOnly: Bool = false) throws -> String {
            try sessions.makeCode(
                ConsoleSessionsTests.request(ConsoleSessionsTests.token), isReadOnly: isReadOnly
            ).code
        }

        var happenings: [ConsoleHappening] { noted.list.withLock { $0 } }

        private final class Notes: Sendable {
            let list = Mutex<[ConsoleHappening]>([])
        }

        private final class Box: Sendable {
            let bench = Mutex<Bench?>(nil)
            func now() -> Int64 { bench.withLock { $0?.time.withLock { $0 } ?? 0 } }
        }
    }

    private static func request(
        _ token: String?, method: String = "GET", waits: Bool = false, isUnattended: Bool = false
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, path: "/control/v1/events", segments: ["control", "v1", "events"],
            query: waits ? [("wait", "20")] : [],
            headers: HTTPHeaders(
                (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                    + (isUnattended ? [("Console-Unattended", "true")] : [])))
    }

    private func open(_ bench: Bench, isReadOnly: Bool? = nil) throws -> String {
        try bench.sessions.open(
            OpenConsoleBody(token: Self.token, isReadOnly: isReadOnly)
        ).session
    }

    private func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? Refusal)?.code }
        return nil
    }

    @Test func `a code begins one session within a minute`() throws {
        let bench = Bench()
        let code = try bench.makeCode()
        bench.pass(ConsoleSessions.codeLastsMilliseconds - 1)
        let opened = try bench.sessions.open(OpenConsoleBody(code: code))
        #expect(try bench.sessions.admit(Self.request(opened.session)))
        #expect(
            self.code { _ = try bench.sessions.open(OpenConsoleBody(code: code)) } == "codeUnknown")
    }

    @Test func `a code that is a minute old begins nothing and is forgotten`() throws {
        let bench = Bench()
        let code = try bench.makeCode()
        bench.pass(ConsoleSessions.codeLastsMilliseconds)
        #expect(
            self.code { _ = try bench.sessions.open(OpenConsoleBody(code: code)) } == "codeUnknown")
        bench.pass(-1)
        #expect(
            self.code { _ = try bench.sessions.open(OpenConsoleBody(code: code)) } == "codeUnknown")
    }

    @Test func `only the owner's token makes a code`() throws {
        let bench = Bench()
        let session = try open(bench)
        for token in [nil, "", "guess", session] {
            #expect(
                code {
                    _ = try bench.sessions.makeCode(Self.request(token), isReadOnly: false)
                } == "tokenWrong", "\(token ?? "none")")
        }
    }

    @Test func `one of code and token is needed`() throws {
        let bench = Bench()
        let code = try bench.makeCode()
        for body in [OpenConsoleBody(), OpenConsoleBody(code: code, token: Self.token)] {
            #expect(self.code { _ = try bench.sessions.open(body) } == "badField")
        }
        // The refusal did not use the code up.
        _ = try bench.sessions.open(OpenConsoleBody(code: code))
    }

    @Test func `the sixth wrong token within a minute is not looked at, nor is the right one`()
        throws
    {
        let bench = Bench()
        for guess in 1...5 {
            #expect(
                code { _ = try bench.sessions.open(OpenConsoleBody(token: "guess")) }
                    == "tokenWrong", "\(guess)")
        }
        for token in ["guess", Self.token] {
            #expect(
                code { _ = try bench.sessions.open(OpenConsoleBody(token: token)) }
                    == "tooManyGuesses")
        }
        // Codes go on to work, since nobody guesses them.
        _ = try bench.sessions.open(OpenConsoleBody(code: try bench.makeCode()))
        bench.pass(59_999)
        #expect(
            code { _ = try bench.sessions.open(OpenConsoleBody(token: "guess")) }
                == "tooManyGuesses")
        bench.pass(1)
        _ = try open(bench)
    }

    @Test func `five wrong tokens are looked at in any minute`() throws {
        let bench = Bench()
        var looked: [Int] = []
        for second in 0..<200 {
            if code({ _ = try bench.sessions.open(OpenConsoleBody(token: "guess")) })
                == "tokenWrong"
            {
                looked.append(second)
            }
            bench.pass(1_000)
        }
        for second in looked {
            #expect(looked.count { (second..<second + 60).contains($0) } <= 5)
        }
        #expect(looked.count == 20)
    }

    @Test func `the log hears of sessions that begin and end, and of refusals`() throws {
        let bench = Bench()
        let session = try open(bench, isReadOnly: true)
        #expect(bench.sessions.end(Self.request(session)))
        #expect(!bench.sessions.end(Self.request(session)))
        _ = code { _ = try bench.sessions.open(OpenConsoleBody(token: "guess")) }
        _ = code { _ = try bench.sessions.open(OpenConsoleBody(code: "guess")) }
        #expect(
            bench.happenings == [
                .opened(isReadOnly: true), .closed, .refused(code: "tokenWrong"),
                .refused(code: "codeUnknown"),
            ])
    }

    @Test func `right tokens are not counted as guesses`() throws {
        let bench = Bench()
        for _ in 1...20 { _ = try open(bench) }
    }

    @Test func `a session ends after twelve hours of use`() throws {
        let bench = Bench()
        let session = try open(bench)
        let step = ConsoleSessions.idleMillisecondsMax - 1
        var passed: Int64 = 0
        while passed + step < ConsoleSessions.lastsMilliseconds {
            bench.pass(step)
            passed += step
            #expect(try bench.sessions.admit(Self.request(session)))
        }
        bench.pass(ConsoleSessions.lastsMilliseconds - passed)
        #expect(try !bench.sessions.admit(Self.request(session)))
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func
        `a session ends after half an hour without use, which waiting and asking unattended are not`(
            waits: Bool, isUnattended: Bool
        ) throws
    {
        let bench = Bench()
        let session = try open(bench)
        let half = ConsoleSessions.idleMillisecondsMax / 2
        bench.pass(half)
        #expect(
            try bench.sessions.admit(
                Self.request(session, waits: waits, isUnattended: isUnattended)))
        bench.pass(half)
        #expect(
            try bench.sessions.admit(Self.request(session)) == (!waits && !isUnattended))
    }

    @Test func `a session that ended does not come back when the clock is set back`() throws {
        let bench = Bench()
        let session = try open(bench)
        bench.pass(ConsoleSessions.lastsMilliseconds)
        #expect(try !bench.sessions.admit(Self.request(session)))
        bench.pass(-ConsoleSessions.lastsMilliseconds)
        #expect(try !bench.sessions.admit(Self.request(session)))
    }

    @Test func `signing out ends one session`() throws {
        let bench = Bench()
        let (one, other) = (try open(bench), try open(bench))
        #expect(bench.sessions.end(Self.request(one)))
        #expect(!bench.sessions.end(Self.request(one)))
        #expect(try !bench.sessions.admit(Self.request(one)))
        #expect(try bench.sessions.admit(Self.request(other)))
    }

    struct Access: Sendable, CustomTestStringConvertible {
        let method: String
        var isReading = false
        let isAllowed: Bool

        var testDescription: String { "\(method)\(isReading ? ", reading" : "")" }
    }

    @Test(arguments: [
        Access(method: "GET", isAllowed: true), Access(method: "HEAD", isAllowed: true),
        Access(method: "POST", isReading: true, isAllowed: true),
        Access(method: "POST", isAllowed: false), Access(method: "PUT", isAllowed: false),
        Access(method: "DELETE", isAllowed: false), Access(method: "get", isAllowed: false),
    ])
    func `a read-only session reads and does nothing else`(row: Access) throws {
        let bench = Bench()
        let session = try open(bench, isReadOnly: true)
        let refused = code {
            _ = try bench.sessions.admit(
                Self.request(session, method: row.method), isReading: row.isReading)
        }
        #expect(refused == (row.isAllowed ? nil : "sessionReadsOnly"))
    }

    @Test func `a read-only code begins a read-only session, whatever is asked`() throws {
        let bench = Bench()
        for wish in [nil, false, true] {
            let code = try bench.makeCode(isReadOnly: true)
            #expect(
                try bench.sessions.open(OpenConsoleBody(code: code, isReadOnly: wish)).isReadOnly)
        }
        let code = try bench.makeCode()
        #expect(try bench.sessions.open(OpenConsoleBody(code: code, isReadOnly: true)).isReadOnly)
    }

    @Test func `with a hundred sessions, another ends the one used longest ago`() throws {
        let bench = Bench()
        var opened: [String] = []
        for _ in 0..<ConsoleSessions.countMax {
            opened.append(try open(bench))
            bench.pass(1)
        }
        #expect(try bench.sessions.admit(Self.request(opened[0])))
        let last = try open(bench)
        #expect(try !bench.sessions.admit(Self.request(opened[1])))
        for session in [opened[0], opened[2], last] {
            #expect(try bench.sessions.admit(Self.request(session)))
        }
    }

    @Test func `with a hundred unused codes, another ends the oldest`() throws {
        let bench = Bench()
        var codes: [String] = []
        for _ in 0...ConsoleSessions.countMax {
            codes.append(try bench.makeCode())
            bench.pass(1)
        }
        #expect(
            code { _ = try bench.sessions.open(OpenConsoleBody(code: codes[0])) } == "codeUnknown")
        _ = try bench.sessions.open(OpenConsoleBody(code: codes[1]))
    }
}
