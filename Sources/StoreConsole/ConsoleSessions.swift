package import StoreHTTP
package import StoreModel
package import StoreService
import StoreSigning
import StoreVerification
package import StoreWire
import Synchronization

/// An event at the door of a console, for the log of its server.
package enum ConsoleHappening: Hashable, Sendable {
    case opened(isReadOnly: Bool)
    /// A wrong code or token, or too many wrong tokens, by the code of the refusal.
    case refused(code: String)
    case closed
}

/// The sessions of a server's console: which requests its pages may make in the owner's name.
///
/// In memory only, by digest: a restart, and with it a new owner's token, ends them all. A session is
/// sent as a bearer token and never as a cookie, which a browser would add to the requests of other
/// pages, and to those for other ports of this machine.
package final class ConsoleSessions: Sendable {
    package static let lastsMilliseconds: Int64 = 12 * 60 * 60_000
    package static let idleMillisecondsMax: Int64 = 30 * 60_000
    package static let codeLastsMilliseconds: Int64 = 60_000
    package static let wrongTokensPerMinuteMax = 5
    private static let minute: Int64 = 60_000
    /// The header of requests that the page makes by itself, long after its reader did something.
    package static let unattendedHeader = "Console-Unattended"
    /// Of sessions, and of codes that were not used: with one more, the one used or made longest ago
    /// ends.
    package static let countMax = 100

    private struct Session {
        let isReadOnly: Bool
        let endsAt: Int64
        var usedAt: Int64

        func isOver(at now: Int64) -> Bool {
            now >= endsAt || now - usedAt >= ConsoleSessions.idleMillisecondsMax
        }
    }

    private struct Code {
        let isReadOnly: Bool
        let endsAt: Int64
    }

    private struct State {
        var sessions: [[UInt8]: Session] = [:]
        var codes: [[UInt8]: Code] = [:]
        /// When the latest wrong tokens came, and tokens that are being compared.
        var guessedAt: [Int64] = []
    }

    /// Whose console they are of.
    let server: ConsoleServer
    private let wall: WallClock
    private let wrongToken: Refusal
    private let isOwnersToken: @Sendable (String) -> Bool
    private let note: @Sendable (ConsoleHappening) -> Void
    private let state = Mutex(State())

    /// `isOwnersToken` tells the token that also opens what the sessions open; another one is refused
    /// with `wrongToken`. `note` is told what the server's log should have.
    package init(
        of server: ConsoleServer, wall: WallClock, wrongToken: Refusal,
        isOwnersToken: @escaping @Sendable (String) -> Bool,
        note: @escaping @Sendable (ConsoleHappening) -> Void
    ) {
        self.server = server
        self.wall = wall
        self.wrongToken = wrongToken
        self.isOwnersToken = isOwnersToken
        self.note = note
    }

    /// Makes a code for a request that carries the owner's token.
    func makeCode(_ request: HTTPRequest, isReadOnly: Bool) throws(Refusal) -> ConsoleCodeBody {
        guard let token = request.headers.bearerToken, isOwnersToken(token) else {
            throw wrongToken
        }
        let now = wall.now().milliseconds
        let code = Code(isReadOnly: isReadOnly, endsAt: now + Self.codeLastsMilliseconds)
        let text = secretToken()
        state.withLock { state in
            state.codes = state.codes.filter { $0.value.endsAt > now }
            Self.makeRoom(in: &state.codes, \.endsAt)
            state.codes[Self.digest(text)] = code
        }
        return ConsoleCodeBody(
            code: text, path: "/console/#code=\(text)",
            expiresAt: Timestamp(milliseconds: code.endsAt))
    }

    /// Begins a session for a code, which is then used up, or for the owner's token.
    func open(_ body: OpenConsoleBody) throws(Refusal) -> OpenedConsoleBody {
        do {
            let opened = try checked(body)
            note(.opened(isReadOnly: opened.isReadOnly))
            return opened
        } catch {
            note(.refused(code: error.code))
            throw error
        }
    }

    private func checked(_ body: OpenConsoleBody) throws(Refusal) -> OpenedConsoleBody {
        let now = wall.now().milliseconds
        let isReadOnly = body.isReadOnly ?? false
        switch (body.code, body.token) {
        case (let code?, nil):
            let known = state.withLock { $0.codes.removeValue(forKey: Self.digest(code)) }
            guard let known, known.endsAt > now else {
                throw Refusal(
                    401, "codeUnknown",
                    "That code was used, or is older than a minute: run bodega console again.")
            }
            return begin(isReadOnly: isReadOnly || known.isReadOnly, now)
        case (nil, let token?):
            // Asked first, so that whoever guesses too often is not told about a right guess.
            if let seconds = state.withLock({ Self.guess(&$0, at: now) }) {
                throw Refusal(
                    429, "tooManyGuesses",
                    "Too many wrong tokens were sent. Wait \(seconds) s, or run bodega console.",
                    retryAfterSeconds: seconds)
            }
            guard isOwnersToken(token) else { throw wrongToken }
            state.withLock { state in
                if let own = state.guessedAt.lastIndex(of: now) { state.guessedAt.remove(at: own) }
            }
            return begin(isReadOnly: isReadOnly, now)
        default:
            throw Refusal(422, "badField", "Give one of code and token.")
        }
    }

    /// The request's session; nil when it carries none that is still good. `isUse` keeps it from being
    /// idle.
    func session(of request: HTTPRequest, isUse: Bool) -> ConsoleSessionBody? {
        guard let text = request.headers.bearerToken else { return nil }
        let (digest, now) = (Self.digest(text), wall.now().milliseconds)
        let session = state.withLock { state -> Session? in
            guard var session = state.sessions[digest] else { return nil }
            guard !session.isOver(at: now) else {
                state.sessions[digest] = nil
                return nil
            }
            if isUse { session.usedAt = max(now, session.usedAt) }
            state.sessions[digest] = session
            return session
        }
        return session.map { body($0) }
    }

    /// Ends the request's session; false when it carries none.
    func end(_ request: HTTPRequest) -> Bool {
        guard let text = request.headers.bearerToken else { return false }
        let ended = state.withLock { $0.sessions.removeValue(forKey: Self.digest(text)) != nil }
        if ended { note(.closed) }
        return ended
    }

    /// Whether a session makes the request, which is then one of the owner; throws 403 when it is
    /// read-only and the request changes something. `isReading` marks requests that change nothing
    /// although their method says otherwise.
    package func admit(_ request: HTTPRequest, isReading: Bool = false) throws(Refusal) -> Bool {
        // A page that only asks for news is not in use.
        let isUse =
            request.queryValue("wait") == nil && request.headers[Self.unattendedHeader] == nil
        guard let session = session(of: request, isUse: isUse) else { return false }
        guard !session.isReadOnly || isReading || ["GET", "HEAD"].contains(request.method) else {
            throw Refusal(
                403, "sessionReadsOnly", "This session of the console can only read.")
        }
        return true
    }

    /// Counts a token as a guess; the seconds to wait when there were too many within a minute.
    private static func guess(_ state: inout State, at now: Int64) -> Int64? {
        // A clock that went back does not keep old guesses for longer.
        state.guessedAt.removeAll { now - $0 >= minute || $0 > now }
        guard state.guessedAt.count < wrongTokensPerMinuteMax else {
            let oldest = state.guessedAt.min() ?? now
            return (oldest + minute - now + 999) / 1_000
        }
        state.guessedAt.append(now)
        return nil
    }

    private func begin(isReadOnly: Bool, _ now: Int64) -> OpenedConsoleBody {
        let session = Session(
            isReadOnly: isReadOnly, endsAt: now + Self.lastsMilliseconds, usedAt: now)
        let text = secretToken()
        state.withLock { state in
            state.sessions = state.sessions.filter { !$0.value.isOver(at: now) }
            Self.makeRoom(in: &state.sessions, \.usedAt)
            state.sessions[Self.digest(text)] = session
        }
        return OpenedConsoleBody(session: text, body(session))
    }

    private func body(_ session: Session) -> ConsoleSessionBody {
        ConsoleSessionBody(
            server: server, isReadOnly: session.isReadOnly,
            expiresAt: Timestamp(milliseconds: session.endsAt),
            idleSeconds: Self.idleMillisecondsMax / 1_000)
    }

    /// Removes the entry that comes first by a time, when there is no place for another.
    private static func makeRoom<Entry>(
        in entries: inout [[UInt8]: Entry], _ time: (Entry) -> Int64
    ) {
        guard entries.count >= countMax,
            let first = entries.min(by: { time($0.value) < time($1.value) })
        else { return }
        entries[first.key] = nil
    }

    private static func digest(_ text: String) -> [UInt8] { sha256(Array(text.utf8)) }
}
