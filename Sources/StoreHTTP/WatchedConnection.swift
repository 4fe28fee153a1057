import CMicroHTTPD
import Glibc
import Synchronization

/// One client's connection: whom it waits for, and since when.
final class WatchedConnection: Sendable {
    enum Phase {
        /// No request line yet, or none since the last answer.
        case resting
        /// A request is on its way in.
        case arriving
        /// The request is whole and the answer is being made; the waiting room bounds this.
        case working
        /// The answer is on its way out.
        case taking
    }

    private struct State {
        /// Nil once libmicrohttpd is about to close it: the number may be another's soon.
        var descriptor: Int32?
        var phase = Phase.resting
        var sinceNanoseconds = nowNanoseconds()
        /// How often in a row, in this phase, it was seen to have ended.
        var endedLooks = 0
    }

    /// Bytes that libmicrohttpd took already may still become a request between two looks.
    private static let endedLooksMax = 10

    private let state: Mutex<State>

    init(descriptor: Int32) {
        state = Mutex(State(descriptor: descriptor))
    }

    func enter(_ phase: Phase) {
        let now = nowNanoseconds()
        state.withLock { state in
            state.phase = phase
            state.sinceNanoseconds = now
            state.endedLooks = 0
        }
    }

    /// What it does, and for how long already.
    func look(now: UInt64) -> (phase: Phase, nanoseconds: UInt64) {
        state.withLock { state in
            (state.phase, now - min(now, state.sinceNanoseconds))
        }
    }

    /// Whether its client sent its last byte, which was taken, and no whole request came of it for
    /// many looks.
    ///
    /// libmicrohttpd 0.9.75 does not hear of an end that it reads together with the bytes before
    /// it, and keeps such a connection until its time-out.
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

    /// Ends both directions; its thread finds it closed, and lets go of it and its request.
    /// Unless it has moved on since it was looked at.
    func cut(ifStill phase: Phase) {
        state.withLock { state in
            guard let descriptor = state.descriptor, state.phase == phase else { return }
            state.descriptor = nil
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// From now on it is left alone.
    func forget() {
        state.withLock { $0.descriptor = nil }
    }
}
