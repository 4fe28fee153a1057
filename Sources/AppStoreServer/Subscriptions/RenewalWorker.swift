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
    /// The clock may be set, and a timer be late: after so long it looks again.
    private static let pauseMillisecondsMax: Int64 = 60_000
    /// How long it waits after the database failed.
    private static let troubleMilliseconds: Int64 = 2_000

    let state = Mutex(State())
    private let database: Database
    let time: WorldTime
    private let updates: UpdateHub
    private let log: Log
    private let queue = DispatchQueue(label: "bodega.renewals")
    /// Nil where no provider is asked.
    private let payments = Mutex<PaymentWorker?>(nil)

    init(database: Database, time: WorldTime, updates: UpdateHub, log: Log) {
        self.database = database
        self.time = time
        self.updates = updates
        self.log = log
    }

    func use(_ payments: PaymentWorker) {
        self.payments.withLock { $0 = payments }
    }

    /// Looks for what is due; called when the clock was set, or a subscription bought or changed.
    package func wake() {
        // Whatever woke it may have left something to be asked for.
        payments.withLock { $0 }?.wake()
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

    private func passed(_ waiting: [@Sendable () -> Void]) {
        for body in waiting { body() }
    }

    private func run() {
        while true {
            let pause: Int64?
            let waiting = state.withLock { $0.takePass() }
            do {
                pause = try settleAll()
            } catch {
                log.event(StoreEvent.renewalsFailed, ("why", .text("\(error)")))
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
                let hasMore =
                    state.runsAgain || (state.advance?.state == .running && !state.isHeldUp)
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
            let (advance, isCancelling) = state.withLock { state in
                state.isHeldUp = false
                return (state.advance, state.isCancelling)
            }
            let running = advance?.state == .running ? advance : nil
            if running != nil, isCancelling {
                end(.cancelled)
                continue
            }
            let left = state.withLock { $0.setAside.present(at: time.real()) }
            do {
                switch try settleBatch(running, except: left) {
                case .more: continue
                case .done: return try pause(except: left)
                case .heldUp:
                    state.withLock { $0.isHeldUp = true }
                    return nil
                }
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
    }

    private enum Batch: Sendable {
        case more
        case done
        /// Nothing more happens before payments are answered.
        case heldUp
    }

    /// Settles a batch in one commit; the one that ends an advance sets the clock.
    private func settleBatch(
        _ advance: ClockAdvance?, except left: Set<TransactionID>
    ) throws -> Batch {
        let time = time
        // A clock that moves on waits for payments, so that all happens in its order. The real one
        // does not.
        let waits = advance != nil && payments.withLock { $0 != nil }
        let until = advance?.to ?? time.now()
        // Most looks find nothing, and need no commit.
        if advance == nil {
            let next = try database.read { try $0.nextDue(except: left) }
            guard let next, next <= until else { return .done }
        }
        let (outcome, batch, clock, leftOut) = try database.write { [database] scope in
            let outcome = try DueWork.settle(
                until: until, except: left, waitsForPayments: waits, time: time, scope
            ) {
                database.isWriterWanted
            }
            CrashPoint.storeRenewalsSettled.reach()
            var batch: Batch = outcome.isDone ? .done : .more
            guard advance != nil else { return (outcome, batch, nil as WorldClock?, LeftOut()) }
            let isHeldUp = try waits && scope.reading { try $0.firstAwaitingPayment() } != nil
            if outcome.isDone, isHeldUp { batch = .heldUp }
            // It goes along, so that whatever ends the advance leaves it at what happened last.
            let target = batch == .done ? max(until, time.now()) : time.now()
            let clock = try scope.reading { try $0.clock() }
                .moved(to: target, real: time.real(), recorded: time.current.recorded)
            try scope.setClock(clock)
            let leftOut =
                batch == .done && !left.isEmpty
                ? try scope.reading {
                    try $0.leftOut(until: until, namedMax: ClockAdvanceBody.leftOutNamedMax)
                } : LeftOut()
            return (outcome, batch, clock, leftOut)
        }
        CrashPoint.storeRenewalsCommitted.reach()
        if let clock { time.use(clock) }
        for account in outcome.report.accounts { updates.wake(account, .events) }
        if outcome.report.asked > 0 { payments.withLock { $0 }?.wake() }
        if advance != nil {
            state.withLock {
                $0.advance?.report.add(outcome.report)
                $0.advance?.leftOut = leftOut
            }
            if batch == .done { end(.done) }
        }
        return batch
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
