import CMicroHTTPD
import Glibc
import Synchronization

/// One client's connection: its phase, and since when.
final class WatchedConnection: Sendable {
    enum Phase {
        /// There is no request line yet, or none since the last answer.
        case resting
        /// A request is arriving.
        case arriving
        /// The request is complete and the answer is being made; the waiting room limits this.
        case working
        /// The answer is being sent.
        case taking
    }

    private struct State {
        /// Nil once libmicrohttpd is about to close it: the number may soon be reused.
        var descriptor: Int32?
        var phase = Phase.resting
        var sinceNanoseconds = nowNanoseconds()
        /// Whether a request has begun on it.
        var isUsed = false
        /// How many times in a row, in this phase, it was found to have ended.
        var endedLooks = 0
    }

    /// Bytes that libmicrohttpd has already read may still become a request between two checks.
    private static let endedLooksMax = 10

    let peer: Peer
    private let state: Mutex<State>

    init(descriptor: Int32, number: UInt64, isEncrypted: Bool) {
        peer = Peer(
            connection: number, descriptor: descriptor, isEncrypted: isEncrypted)
        state = Mutex(State(descriptor: descriptor))
    }

    func enter(_ phase: Phase) {
        let now = nowNanoseconds()
        state.withLock { state in
            state.phase = phase
            state.sinceNanoseconds = now
            state.endedLooks = 0
            state.isUsed = true
        }
    }

    /// Whether a request has begun on it.
    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Its phase and how long it has lasted.
    func look(now: UInt64) -> (phase: Phase, nanoseconds: UInt64) {
        state.withLock { state in
            (state.phase, now - min(now, state.sinceNanoseconds))
        }
    }

    /// Whether its client's last byte has been read, and many checks later there is still no
    /// complete request.
    ///
    /// libmicrohttpd 0.9.75 does not notice an end that it reads together with the bytes before it,
    /// and keeps such a connection until its time-out.
    func isAbandoned() -> Bool {
        state.withLock { state in
            guard let descriptor = state.descriptor,
                state.phase == .resting || state.phase == .arriving
            else { return false }
            var byte: UInt8 = 0
            let count = unsafe recv(
                descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            state.endedLooks = count == 0 ? state.endedLooks + 1 : 0
            return state.endedLooks > Self.endedLooksMax
        }
    }

    /// Ends both directions, unless the phase has changed since the check; its thread finds it
    /// closed, and releases it and its request.
    func cut(ifStill phase: Phase) {
        state.withLock { state in
            guard let descriptor = state.descriptor, state.phase == phase else { return }
            state.descriptor = nil
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Excludes it from further checks.
    func forget() {
        state.withLock { $0.descriptor = nil }
    }
}
