import CrashPoints
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire
import Synchronization

/// Settles a world's subscriptions when they are due, for as long as the world is open, and moves
/// its clock on.
///
/// Only the list of subscriptions that cannot be settled is kept in memory alone: they are left out
/// for a while and do not hold up others. However it is stopped, it resumes with what is due then.
package final class RenewalWorker: Sendable {
    let state = Mutex(State())
    private let database: Database
    let time: WorldTime
    private let updates: UpdateHub
    private let log: Log
    let loop = DueLoop("bodega.renewals")
    /// Nil where no provider is asked.
    private let payments = Mutex<PaymentWorker?>(nil)

    init(database: Database, time: WorldTime, updates: UpdateHub, log: Log) {
        self.database = database
        self.time = time
        self.updates = updates
        self.log = log
        loop.start { [weak self] in self?.turn() ?? .untilWoken }
    }

    func use(_ payments: PaymentWorker) {
        self.payments.withLock { $0 = payments }
    }

    /// Looks for due work; called when the clock was set, or a subscription bought or changed.
    package func wake() {
        // The cause of waking may also have left payments to ask for.
        payments.withLock { $0 }?.wake()
        loop.wake()
    }

    /// Stops after the present commit.
    func close() {
        loop.stop()
        // The callers that wait for an advance are released.
        end(.cancelled)
    }

    private func turn() -> DueLoop.Next {
        do {
            return try settle()
        } catch {
            log.event(StoreEvent.renewalsFailed, ("why", .text("\(error)")))
            end(.failed, "\(error)")
            return .failed
        }
    }

    /// Settles part of what is due until now, or until the clock's target.
    private func settle() throws -> DueLoop.Next {
        let (advance, isCancelling, left) = state.withLock {
            ($0.advance, $0.isCancelling, $0.setAside.present(at: time.real()))
        }
        let running = advance?.state == .running ? advance : nil
        if running != nil, isCancelling {
            end(.cancelled)
            return .turn
        }
        do {
            return switch try settleBatch(running, except: left) {
            case .more: .turn
            case .done: try rest(except: left)
            case .heldUp: .untilWoken
            }
        } catch let trouble as DueTrouble {
            try leaveOut(trouble)
            return .turn
        }
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
        /// Nothing more is settled before payments are answered.
        case heldUp
    }

    /// Settles a batch in one commit; the one that ends an advance sets the clock.
    private func settleBatch(
        _ advance: ClockAdvance?, except left: Set<TransactionID>
    ) throws -> Batch {
        let time = time
        // A clock that moves on waits for payments, so that everything happens in order. One that
        // already shows its time does not.
        let movesClock = advance?.movesClock == true
        let waits = movesClock && payments.withLock { $0 != nil }
        let until = advance?.to ?? time.now()
        // Most checks find nothing and need no commit.
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
            let isHeldUp = try waits && scope.reading.firstAwaitingPayment() != nil
            if outcome.isDone, isHeldUp { batch = .heldUp }
            var clock: WorldClock?
            if movesClock {
                // The clock follows the events, so that however the advance ends, it stays at the
                // last one.
                let target = batch == .done ? max(until, time.now()) : time.now()
                let moved = try scope.reading.clock()
                    .moved(to: target, real: time.real(), recorded: time.current.recorded)
                try scope.setClock(moved)
                clock = moved
            }
            let leftOut =
                batch == .done && !left.isEmpty
                ? try scope.reading.leftOut(
                    until: until, namedMax: ClockAdvanceBody.leftOutNamedMax) : LeftOut()
            return (outcome, batch, clock, leftOut)
        }
        CrashPoint.storeRenewalsCommitted.reach()
        if let clock { time.use(clock) }
        for account in outcome.report.accounts { updates.wake(account, .events) }
        for account in outcome.report.watchers { updates.wake(account, .signedData) }
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

    /// How long to rest: until the next subscription is due, or one that was left out is tried
    /// again.
    private func rest(except left: Set<TransactionID>) throws -> DueLoop.Next {
        var waits: [Int64] = []
        if let again = state.withLock({ $0.setAside.next }) {
            waits.append(again.milliseconds - time.real().milliseconds)
        }
        if case .real = time.current.clock,
            let next = try database.read({ try $0.nextDue(except: left) })
        {
            waits.append(next.milliseconds - time.now().milliseconds)
        }
        return waits.min().map { .rest(milliseconds: $0) } ?? .untilWoken
    }
}
