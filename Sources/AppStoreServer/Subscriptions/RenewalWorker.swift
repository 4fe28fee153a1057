import CrashPoints
import Dispatch
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreWire
import Synchronization

/// Settles a world's subscriptions when they are due, for as long as the world is open, and moves
/// its clock on.
///
/// It keeps nothing in memory that the database does not say, but for which subscriptions cannot be
/// settled: they are left out for a while, and hold up no others. Whenever it is stopped, it goes on
/// with what is due then.
package final class RenewalWorker: Sendable {
    private struct State {
        var isRunning = false
        /// Something changed while it ran.
        var runsAgain = false
        var isClosed = false
        /// Of the timer that counts; others are too late.
        var timer: Int64 = 0
        var advance: ClockAdvance?
        var isCancelling = false
        var setAside = SetAside()
        var advancesBegun: Int64 = 0
        var atEnd: [@Sendable () -> Void] = []
        /// Requests on their way that set the clock.
        var settings = 0
        /// Who waits for a look that begins after they came.
        var atPass: [@Sendable () -> Void] = []

        mutating func takePass() -> [@Sendable () -> Void] {
            defer { atPass.removeAll() }
            return atPass
        }
    }

    /// The clock may be set, and a timer be late: after so long it looks again.
    private static let pauseMillisecondsMax: Int64 = 60_000
    /// How long it waits after the database failed.
    private static let troubleMilliseconds: Int64 = 2_000

    private let state = Mutex(State())
    private let database: Database
    private let time: WorldTime
    private let updates: UpdateHub
    private let log: Log
    private let queue = DispatchQueue(label: "bodega.renewals")

    init(database: Database, time: WorldTime, updates: UpdateHub, log: Log) {
        self.database = database
        self.time = time
        self.updates = updates
        self.log = log
    }

    /// Looks for what is due; called when the clock was set, or a subscription bought or changed.
    package func wake() {
        let starts = state.withLock { state in
            if state.isClosed { return false }
            state.timer += 1
            if state.isRunning {
                state.runsAgain = true
                return false
            }
            state.isRunning = true
            return true
        }
        if starts { queue.async { self.run() } }
    }

    /// Ends after the commit it is in.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync {}
        // An advance that was on its way is over for who waits for it.
        end(.cancelled)
        passed(state.withLock { $0.takePass() })
    }

    // MARK: - The clock

    /// The newest advance of the clock since the world was opened.
    var advance: ClockAdvance? { state.withLock { $0.advance } }

    /// Begins to move the clock on, to a time that is told from the one it is at; refused while
    /// that is being done, or the clock being set.
    func beginAdvance(
        to target: (WorldClock, _ recorded: Timestamp) throws -> Timestamp
    ) throws -> ClockAdvance {
        let advance = try state.withLock { state in
            guard !state.isClosed else { throw Refusal.worldBusy }
            guard state.advance?.state != .running, state.settings == 0 else {
                throw Refusal.clockMoves
            }
            let (clock, recorded) = time.current
            let from = time.now()
            let to = try target(clock, recorded)
            state.advancesBegun += 1
            let advance = ClockAdvance(number: state.advancesBegun, from: from, to: to)
            state.advance = advance
            state.isCancelling = false
            return advance
        }
        wake()
        return advance
    }

    /// Ends the clock's advance after the commit it is in.
    func cancelAdvance() {
        state.withLock { $0.isCancelling = true }
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

    /// Keeps the clock for who sets it, until `endSetting`; throws while it moves on.
    func beginSetting() throws {
        try state.withLock { state in
            guard state.advance?.state != .running else { throw Refusal.clockMoves }
            state.settings += 1
        }
    }

    func endSetting() {
        state.withLock { $0.settings -= 1 }
    }

    /// Looks for what is due, and calls once that has been settled, or could not be.
    func afterPass(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.atPass.append(body) }
            return state.isClosed
        }
        if isClosed { return body() }
        wake()
    }

    private func passed(_ waiting: [@Sendable () -> Void]) {
        for body in waiting { body() }
    }

    private func end(_ outcome: ClockAdvance.State, _ failure: String? = nil) {
        let waiting = state.withLock { state in
            guard state.advance?.state == .running else { return [] as [@Sendable () -> Void] }
            state.advance?.state = outcome
            state.advance?.failure = failure
            defer { state.atEnd.removeAll() }
            return state.atEnd
        }
        for body in waiting { body() }
    }

    // MARK: - The work

    private func run() {
        while true {
            let pause: Int64?
            let waiting = state.withLock { $0.takePass() }
            do {
                pause = try settleAll()
            } catch {
                log.event(StoreEvent.renewalsFailed, ("why", .text("\(error)")))
                forgetUndone()
                end(.failed, "\(error)")
                pause = Self.troubleMilliseconds
            }
            passed(waiting)
            let again = state.withLock { state in
                if state.isClosed {
                    state.isRunning = false
                    return false
                }
                defer { state.runsAgain = false }
                let hasMore = state.runsAgain || state.advance?.state == .running
                state.isRunning = hasMore
                return hasMore
            }
            guard again else { return rest(pause) }
        }
    }

    /// Settles what is due until now, or until where the clock is to go. Gives how long nothing
    /// will be due, in milliseconds; nil when nothing will by itself.
    private func settleAll() throws -> Int64? {
        while !state.withLock({ $0.isClosed }) {
            let (advance, isCancelling) = state.withLock { ($0.advance, $0.isCancelling) }
            let running = advance?.state == .running ? advance : nil
            if running != nil, isCancelling {
                end(.cancelled)
                continue
            }
            let left = state.withLock { $0.setAside.present(at: time.real()) }
            do {
                guard try settleBatch(running, except: left) else { continue }
                return try pause(except: left)
            } catch let trouble as DueTrouble {
                try leaveOut(trouble)
            }
        }
        return nil
    }

    /// Leaves a subscription out for a while; throws when that would be too many.
    private func leaveOut(_ trouble: DueTrouble) throws {
        let now = time.real()
        let isLeft = state.withLock { $0.setAside.add(trouble.original, at: now) }
        guard isLeft else { throw trouble }
        log.event(
            StoreEvent.renewalSetAside, ("subscription", .number(trouble.original.rawValue)),
            ("why", .text("\(trouble.cause)")))
        forgetUndone()
    }

    /// Settles a batch in one commit; the one that ends an advance sets the clock. False when there
    /// may be more.
    private func settleBatch(
        _ advance: ClockAdvance?, except left: Set<TransactionID>
    ) throws -> Bool {
        let time = time
        let until = advance?.to ?? time.now()
        // Most looks find nothing, and need no commit.
        if advance == nil {
            let next = try database.read { try $0.nextDue(except: left) }
            guard let next, next <= until else { return true }
        }
        let (outcome, clock) = try database.write { [database] scope in
            let outcome = try DueWork.settle(until: until, except: left, time: time, scope) {
                database.isWriterWanted
            }
            CrashPoint.storeRenewalsSettled.reach()
            guard advance != nil else { return (outcome, nil as WorldClock?) }
            // It goes along, so that whatever ends the advance leaves it at what happened last.
            let target = outcome.isDone ? max(until, time.now()) : time.now()
            let clock = try scope.reading { try $0.clock() }
                .moved(to: target, real: time.real(), recorded: time.current.recorded)
            try scope.setClock(clock)
            return (outcome, clock)
        }
        CrashPoint.storeRenewalsCommitted.reach()
        if let clock { time.use(clock) }
        for account in outcome.report.accounts { updates.wake(account, .events) }
        if advance != nil {
            state.withLock { $0.advance?.report.add(outcome.report) }
            if outcome.isDone { end(.done) }
        }
        return outcome.isDone
    }

    /// A commit that was undone may have moved the world's time: it goes back to what happened.
    private func forgetUndone() {
        let time = time
        _ = try? database.write { time.forget(since: try $0.reading { try $0.lastRecorded() }) }
    }

    private func pause(except left: Set<TransactionID>) throws -> Int64? {
        let again = state.withLock { $0.setAside.next }
            .map { $0.milliseconds - time.real().milliseconds }
        guard case .real = time.current.clock else { return again }
        guard let next = try database.read({ try $0.nextDue(except: left) }) else { return again }
        let due = next.milliseconds - time.now().milliseconds
        return again.map { min($0, due) } ?? due
    }

    private func rest(_ milliseconds: Int64?) {
        guard let milliseconds else { return }
        let timer = state.withLock { $0.timer }
        let pause = min(max(milliseconds, 1), Self.pauseMillisecondsMax)
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(pause))) { [weak self] in
            guard let self, self.state.withLock({ $0.timer == timer }) else { return }
            self.wake()
        }
    }
}

extension Refusal {
    static let clockMoves = Refusal(
        409, "clockMoves",
        "The clock is being moved on; wait until that has ended, or cancel it.")
}
