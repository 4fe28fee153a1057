import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// What the store is asked about again by itself: by a key, each in a check of its own.
protocol DueChecks<Key>: Sendable {
    associatedtype Key: Hashable & Sendable

    /// Those whose time has come, longest waiting first.
    func due(_ scope: borrowing ReadScope, now: Timestamp, countMax: Int) throws -> [Key]
    /// When the next one is due; nil when none is.
    func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp?
    /// Asks the store, if the key is still due, and records its answer; blocks for a call to the
    /// store and for the commit.
    func check(_ key: Key) throws
    /// Postpones a check that failed through a fault of ours, so that it does not block the others.
    func postpone(_ key: Key, because error: any Error) throws
}

/// Makes checks when their time has come, a few at a time.
///
/// It works from rows, so it continues where the last process stopped: what is being checked stays
/// due until the answer is recorded. Each check has a worker of its own, so that a slow one does not
/// delay others.
final class CheckWorker<Checks: DueChecks>: Sendable {
    private let name: String
    private let database: Database
    let checks: Checks
    let pool: WorkerPool
    private let timings: BackendTimings
    private let clock: WallClock
    private let log: Log
    private let loop: DueLoop
    /// The workers' checks and those of `alone`.
    let turns = OneAtATime<Checks.Key>()
    private let state = Mutex(State())

    private struct State {
        var underWay: Set<Checks.Key> = []
        /// Whether the database failed the last check.
        var isHeldUp = false
    }

    /// `name` is for the log.
    init(
        _ name: String, _ checks: Checks, workersMax: Int, database: Database,
        timings: BackendTimings, clock: WallClock, log: Log
    ) {
        self.name = name
        self.database = database
        self.checks = checks
        self.timings = timings
        self.clock = clock
        self.log = log
        loop = timings.loop("backend.\(name)")
        pool = WorkerPool(
            name: "backend.\(name)", workersMax: workersMax,
            waitingMax: BackendLimits.checksWaitingMax)
    }

    func start() {
        loop.start { [self] in round() }
        loop.wake()
    }

    /// Ends the loop, then the checks that were handed out: those under way after their answer, the
    /// others at once. What was not checked stays due.
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
        let countMax = isHeldUp ? 1 : BackendLimits.checkBatchMax
        do {
            let due = try database.read { scope in
                try checks.due(scope, now: clock.now(), countMax: countMax + busy.count)
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

    /// Makes a check of a key on the caller's thread, alone: after one that is being made, and while
    /// no worker takes the key up as well. Blocks for calls to the store.
    func alone(_ key: Checks.Key, _ check: () throws -> Void) rethrows {
        let isFree = state.withLock { $0.underWay.insert(key).inserted }
        defer { if isFree { state.withLock { _ = $0.underWay.remove(key) } } }
        try turns.run(key, check)
    }

    /// On a worker of the pool; false when the result could not be recorded.
    private func check(_ key: Checks.Key) -> Bool {
        guard !loop.isStopped else { return true }
        do {
            try turns.run(key) { try checks.check(key) }
            return true
        } catch let error where Refusal(of: error) != .failed {
            failed(error)
            return false
        } catch {
            failed(error)
            do {
                try checks.postpone(key, because: error)
                return true
            } catch {
                failed(error)
                return false
            }
        }
    }

    @discardableResult
    private func failed(_ error: any Error) -> DueLoop.Next {
        log(.workerFailed, .detail("\(name): \(error)"))
        return .failed
    }

    /// Until the next one is due, a tick at most.
    private func rest() throws -> DueLoop.Next {
        let tick = Int64(timings.workerTickMilliseconds)
        guard state.withLock({ $0.underWay.isEmpty }),
            let next = try database.read({ try checks.nextDue($0) })
        else { return .rest(milliseconds: tick) }
        return .rest(milliseconds: next.milliseconds - clock.now().milliseconds)
    }
}
