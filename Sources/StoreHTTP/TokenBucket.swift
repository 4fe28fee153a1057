import Synchronization

/// Limits the rate of requests that anybody may make: a burst, and then a number per minute.
package final class TokenBucket: Sendable {
    private struct State {
        /// In sixty-thousandths, so that each millisecond adds a whole number.
        var left: Int64
        var filledAtMilliseconds: Int64?
    }

    private static let unit: Int64 = 60_000

    private let full: Int64
    private let perMinuteMax: Int64
    private let state: Mutex<State>

    package init(atOnceMax: Int64, perMinuteMax: Int64) {
        precondition(atOnceMax > 0 && perMinuteMax > 0, "a bucket holds something")
        full = atOnceMax * Self.unit
        self.perMinuteMax = perMinuteMax
        state = Mutex(State(left: atOnceMax * Self.unit))
    }

    /// Takes one token, by the real clock; if there is none, gives the seconds until there is.
    package func take(atMilliseconds now: Int64) -> Int64? {
        state.withLock { state in
            let seconds = wait(&state, atMilliseconds: now)
            if seconds == nil { state.left -= Self.unit }
            return seconds
        }
    }

    /// The seconds until there is a token, which is not taken; nil when there is one now.
    package func wait(atMilliseconds now: Int64) -> Int64? {
        state.withLock { wait(&$0, atMilliseconds: now) }
    }

    private func wait(_ state: inout State, atMilliseconds now: Int64) -> Int64? {
        // A clock that went back adds nothing; one that leapt forward fills the bucket.
        let passed = min(max(0, now - (state.filledAtMilliseconds ?? now)), full)
        state.filledAtMilliseconds = now
        state.left = min(full, state.left + passed * perMinuteMax)
        guard state.left < Self.unit else { return nil }
        let perSecond = perMinuteMax * 1_000
        return (Self.unit - state.left + perSecond - 1) / perSecond
    }
}
