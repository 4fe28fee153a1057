import Dispatch
import Synchronization

/// Wakes, pauses and stops a worker.
///
/// The worker takes a turn when it is woken, and when the rest that its last turn requested is
/// over. Turns never overlap, a wake during a turn causes another one, and no turn begins after the
/// loop is stopped.
package final class DueLoop: Sendable {
    /// The step after a turn.
    package enum Next: Hashable, Sendable {
        /// Another turn at once.
        case turn
        /// A rest, cut to the loop's maximum: clocks may be set, and timers may be late.
        case rest(milliseconds: Int64)
        case untilWoken
        /// A rest that doubles with each consecutive failure.
        case failed
    }

    package typealias Turn = @Sendable () -> Next
    /// Calls once after the given milliseconds.
    package typealias Timer = @Sendable (Int64, @escaping @Sendable () -> Void) -> Void

    private struct State {
        var turn: Turn?
        /// The number of wakes: a turn or a timer from an earlier count is out of date.
        var wakes: Int64 = 0
        /// Whether a turn is under way or about to begin.
        var isRunning = false
        var isStopped = false
        var failures = 0
        /// Callers that wait for a turn that begins after their call, and for the turn that serves
        /// them.
        var waiting: [@Sendable () -> Void] = []
        var served: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let restMillisecondsMax: Int64
    private let failureMilliseconds: ClosedRange<Int64>
    private let timer: Timer

    /// `failureMilliseconds` ranges from the rest after the first failure to the longest.
    package init(
        _ name: String, restMillisecondsMax: Int64 = 60_000,
        failureMilliseconds: ClosedRange<Int64> = 2_000...2_000, timer: Timer? = nil
    ) {
        let queue = DispatchQueue(label: name)
        self.queue = queue
        self.restMillisecondsMax = restMillisecondsMax
        self.failureMilliseconds = failureMilliseconds
        self.timer =
            timer ?? { queue.asyncAfter(deadline: .now() + .milliseconds(Int($0)), execute: $1) }
    }

    /// Sets the turn, which is kept until the loop is stopped; wakes count from here on.
    package func start(_ turn: @escaping Turn) {
        state.withLock { $0.turn = turn }
    }

    package func wake() {
        wake { _ in true }
    }

    private func wake(if isMeant: (borrowing State) -> Bool) {
        let begins = state.withLock { state in
            guard !state.isStopped, state.turn != nil, isMeant(state) else { return false }
            state.wakes += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { queue.async { self.run() } }
    }

    /// Wakes the loop, and calls once turns begun since then have nothing left to do, or the loop
    /// was stopped.
    package func afterTurn(_ body: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.waiting.append(body) }
            return state.isStopped
        }
        if isStopped { return body() }
        wake()
    }

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Starts no more turns, and returns when the one under way has ended.
    package func stop() {
        state.withLock { $0.isStopped = true }
        queue.sync {}
        let waiting = state.withLock { state in
            state.turn = nil
            defer { (state.served, state.waiting) = ([], []) }
            return state.served + state.waiting
        }
        for body in waiting { body() }
    }

    private func run() {
        let begun = state.withLock { state -> (turn: Turn, wakes: Int64)? in
            guard !state.isStopped, let turn = state.turn else { return nil }
            state.served += state.waiting
            state.waiting = []
            return (turn, state.wakes)
        }
        guard let (turn, wakes) = begun else { return }
        let next = turn()
        let (served, failures, goesOn) = state.withLock { state in
            state.failures = next == .failed ? min(state.failures + 1, 16) : 0
            state.isRunning = next == .turn || state.wakes != wakes
            defer { if next != .turn { state.served = [] } }
            return (next == .turn ? [] : state.served, state.failures, state.isRunning)
        }
        if goesOn {
            queue.async { self.run() }
        } else if let rest = milliseconds(next, failures) {
            timer(rest) { [weak self] in self?.wake { $0.wakes == wakes } }
        }
        for body in served { body() }
    }

    private func milliseconds(_ next: Next, _ failures: Int) -> Int64? {
        switch next {
        case .turn, .untilWoken: nil
        case .rest(let milliseconds): min(max(milliseconds, 1), restMillisecondsMax)
        case .failed:
            min(failureMilliseconds.lowerBound << (failures - 1), failureMilliseconds.upperBound)
        }
    }
}
