import StoreDatabase
package import StoreModel
package import StoreRules
import Synchronization

/// A world's clock in use: what it is set to, and when the newest event happened to a customer.
///
/// Only events keep the clock from going back. Changes of the catalogue are dated by it, too, but
/// do not: a world is prepared first, and then its clock is set, often to a day in the past. Their
/// histories are in the order of their numbers, whatever their dates.
package final class WorldTime: BesideCommits {
    private struct State {
        var clock: WorldClock
        var recorded: Timestamp
    }

    /// A mutex wraps a bare closure once more each time that it lends it.
    private struct Listener {
        let hear: @Sendable () -> Void
    }

    private let state: Mutex<State>
    private let wall: WallClock
    private let listener = Mutex<Listener?>(nil)

    package init(clock: WorldClock, recorded: Timestamp, wall: WallClock) {
        state = Mutex(State(clock: clock, recorded: recorded))
        self.wall = wall
    }

    /// The world's time.
    package func now() -> Timestamp {
        let real = wall.now()
        return state.withLock { $0.clock.now(real: real, recorded: $0.recorded) }
    }

    /// The real time, for tokens, locks and time-outs.
    package func real() -> Timestamp { wall.now() }

    /// Records and returns the world's time, which never goes back before it again. For the writer.
    package func recordNow() -> Timestamp { record(now()) }

    /// Records the moment by which this commit decided. For the writer.
    @discardableResult
    package func record(_ moment: Timestamp) -> Timestamp {
        state.withLock { state in
            state.recorded = max(state.recorded, moment)
            return state.recorded
        }
    }

    package func mark() -> Int64 { state.withLock { $0.recorded.milliseconds } }

    package func goBack(to mark: Int64) {
        state.withLock { $0.recorded = Timestamp(milliseconds: mark) }
    }

    package var current: (clock: WorldClock, recorded: Timestamp) {
        state.withLock { ($0.clock, $0.recorded) }
    }

    /// From now on, calls a body after the clock was set or moved on.
    func whenSet(_ body: @escaping @Sendable () -> Void) {
        listener.withLock { $0 = Listener(hear: body) }
    }

    /// Switches to another clock; called after it is committed.
    package func use(_ clock: WorldClock) {
        state.withLock { $0.clock = clock }
        listener.withLock { $0 }?.hear()
    }
}
