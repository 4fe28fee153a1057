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
    }

    private let state: Mutex<State>

    init(descriptor: Int32) {
        state = Mutex(State(descriptor: descriptor))
    }

    func enter(_ phase: Phase) {
        let now = nowNanoseconds()
        state.withLock { state in
            state.phase = phase
            state.sinceNanoseconds = now
        }
    }

    /// What it does, and for how long already.
    func look(now: UInt64) -> (phase: Phase, nanoseconds: UInt64) {
        state.withLock { state in
            (state.phase, now - min(now, state.sinceNanoseconds))
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
