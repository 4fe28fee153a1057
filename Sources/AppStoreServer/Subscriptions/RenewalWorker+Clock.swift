import StoreModel
import StoreRules
import StoreService
import StoreWire
import Synchronization

// The clock's way to another time, and the callers that wait for it.
extension RenewalWorker {
    /// The newest advance of the clock since the world was opened.
    var advance: ClockAdvance? { state.withLock { $0.advance } }

    /// Begins to move the clock on, to a time computed from the present one; refused while the
    /// clock is being moved or set.
    func beginAdvance(
        to target: (WorldClock, _ recorded: Timestamp) throws -> Timestamp
    ) throws -> ClockAdvance {
        let advance = try state.withLock { state in
            guard !loop.isStopped else { throw Refusal.worldBusy }
            guard state.advance?.state != .running, !state.isSetting else {
                throw Refusal.clockMoves
            }
            let (clock, recorded) = time.current
            let from = time.now()
            let to = try target(clock, recorded)
            return state.begin(from: from, to: to, movesClock: true)
        }
        wake()
        return advance
    }

    /// Ends the clock's advance after the present commit; false when none is under way. What is due
    /// at the time that a clock already shows happens in any case.
    func cancelAdvance() -> Bool {
        let isMoving = state.withLock { state in
            guard let advance = state.advance, advance.state == .running, advance.movesClock else {
                return false
            }
            state.isCancelling = true
            return true
        }
        if isMoving { wake() }
        return isMoving
    }

    /// Calls once the present advance has ended, or at once when none is on its way.
    func afterAdvance(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            guard state.advance?.state == .running else { return true }
            state.atEnd.append(body)
            return false
        }
        if isOver { body() }
    }

    /// Counts the results of a payment, and goes on.
    func settled(_ report: Settlement.Report) {
        state.withLock { state in
            if state.advance?.state == .running { state.advance?.report.add(report) }
        }
        wake()
    }

    /// Reserves the clock for a request that sets it, until `endSetting`; throws while it moves on,
    /// or another request sets it.
    func beginSetting() throws {
        try state.withLock { state in
            guard state.advance?.state != .running, !state.isSetting else {
                throw Refusal.clockMoves
            }
            state.isSetting = true
        }
    }

    /// Begins to settle what is due at the time a clock was set to, if anything is. Nil means that
    /// the setting failed.
    func endSetting(_ set: (from: Timestamp, isDue: Bool)?) -> ClockAdvance? {
        let now = time.now()
        let advance = state.withLock { state in
            state.isSetting = false
            guard let set, !loop.isStopped else { return nil as ClockAdvance? }
            if set.isDue { return state.begin(from: set.from, to: now, movesClock: false) }
            if state.advance?.state != .running { state.advance = nil }
            return nil
        }
        wake()
        return advance
    }

    func end(_ outcome: ClockAdvance.State, _ failure: String? = nil) {
        let waiting = state.withLock { state in
            guard state.advance?.state == .running else { return [] as [@Sendable () -> Void] }
            state.advance?.state = outcome
            state.advance?.failure = failure
            defer { state.atEnd.removeAll() }
            return state.atEnd
        }
        for body in waiting { body() }
    }
}

extension Refusal {
    static let clockMoves = Refusal(
        409, "clockMoves",
        "The clock is being set or moved on; wait until that has ended, or cancel the advance.")
}
