import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// Checks subscriptions when their time has come, a few at a time.
///
/// It works from rows, so it continues where the last process stopped: a subscription being checked
/// stays due until its answer is recorded. Each check has a worker of its own, so that a slow one
/// does not delay others.
final class SubscriptionWorker: Sendable {
    private let database: Database
    private let checker: SubscriptionChecker
    let pool: WorkerPool
    private let timings: BackendTimings
    private let clock: WallClock
    private let log: Log
    private let loop: DueLoop
    private let state = Mutex(State())

    private struct State {
        var underWay: Set<SubscriptionKey> = []
        /// Whether the database failed the last check.
        var isHeldUp = false
    }

    init(
        database: Database, checker: SubscriptionChecker, timings: BackendTimings,
        clock: WallClock, log: Log
    ) {
        self.database = database
        self.checker = checker
        self.timings = timings
        self.clock = clock
        self.log = log
        loop = timings.loop("backend.subscriptions")
        pool = WorkerPool(
            name: "backend.subscriptions", workersMax: BackendLimits.subscriptionWorkersMax,
            waitingMax: BackendLimits.subscriptionsWaitingMax)
    }

    func start() {
        loop.start { [self] in round() }
        loop.wake()
    }

    /// Ends the loop, then the checks that were handed out: those under way after their answer, the
    /// others at once. Unchecked subscriptions stay due.
    func stop(graceMilliseconds: Int) {
        pool.close()
        loop.stop()
        _ = pool.drain(milliseconds: graceMilliseconds)
    }

    /// Hands out due checks, as far as there is room.
    @discardableResult
    func round() -> DueLoop.Next {
        let (busy, isHeldUp) = state.withLock { ($0.underWay, $0.isHeldUp) }
        // While the database fails, one check shows whether it still does.
        let countMax = isHeldUp ? 1 : BackendLimits.subscriptionBatchMax
        do {
            let due = try database.read { scope in
                try SubscriptionRecords.due(
                    scope, now: clock.now(),
                    waitMillisecondsMax: SubscriptionSchedule.horizonMilliseconds,
                    countMax: countMax + busy.count)
            }
            for key in due.filter({ !busy.contains($0) }).prefix(countMax) {
                guard let seat = pool.takeSeat() else { break }
                state.withLock { _ = $0.underWay.insert(key) }
                pool.start(seat) { [self] in
                    let isHeldUp = !check(key)
                    state.withLock { state in
                        state.underWay.remove(key)
                        state.isHeldUp = isHeldUp
                    }
                    // A worker is free; more may be due, but not while nothing can be recorded.
                    if !isHeldUp { loop.wake() }
                }
            }
            return isHeldUp ? .failed : try rest()
        } catch {
            return failed(error)
        }
    }

    /// Checks one on the caller's thread, for the operator, while no worker takes it up as well.
    /// Blocks for a call to the store.
    func checkNow(_ key: SubscriptionKey) throws {
        let isFree = state.withLock { $0.underWay.insert(key).inserted }
        defer { if isFree { state.withLock { _ = $0.underWay.remove(key) } } }
        try checker.check(key)
    }

    /// On a worker of the pool; false when the result could not be recorded.
    private func check(_ key: SubscriptionKey) -> Bool {
        guard !loop.isStopped else { return true }
        do {
            try checker.check(key)
            return true
        } catch let error where Refusal(of: error) != .failed {
            failed(error)
            return false
        } catch {
            failed(error)
            do {
                try checker.postpone(key, because: error)
                return true
            } catch {
                failed(error)
                return false
            }
        }
    }

    @discardableResult
    private func failed(_ error: any Error) -> DueLoop.Next {
        log(.workerFailed, .detail("subscriptions: \(error)"))
        return .failed
    }

    /// Until the next one is due, a tick at most.
    private func rest() throws -> DueLoop.Next {
        let tick = Int64(timings.workerTickMilliseconds)
        guard state.withLock({ $0.underWay.isEmpty }),
            let next = try database.read({ try SubscriptionRecords.nextDue($0) })
        else { return .rest(milliseconds: tick) }
        return .rest(milliseconds: next.milliseconds - clock.now().milliseconds)
    }
}
