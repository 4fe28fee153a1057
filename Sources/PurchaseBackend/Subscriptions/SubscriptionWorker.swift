import Dispatch
import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// Has subscriptions checked when their time has come, a few at a time.
///
/// It reads rows, so it goes on where the last process stopped: what is being checked stays due
/// until its answer is written down. Each check has a worker of its own, so that a slow one delays
/// no other.
final class SubscriptionWorker: Sendable {
    private let database: Database
    private let checker: SubscriptionChecker
    let desk: WorkDesk
    private let timings: BackendTimings
    private let clock: WallClock
    private let log: Log
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var underWay: Set<SubscriptionKey> = []
        /// Checks and rounds in a row that the database failed.
        var failures = 0
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
        desk = WorkDesk(
            name: "backend.subscriptions", workersMax: BackendLimits.subscriptionWorkersMax,
            waitingMax: BackendLimits.subscriptionsWaitingMax)
    }

    func start() {
        let thread = Thread { [self] in
            while !state.withLock({ $0.isStopping }) {
                round()
                _ = wake.wait(timeout: .now() + .milliseconds(waitMilliseconds))
            }
            ended.signal()
        }
        thread.name = "backend.subscriptions"
        thread.start()
    }

    /// Ends the thread, then the checks that were handed out: those under way to their answer, the
    /// others at once. What was not checked stays due.
    func stop(graceMilliseconds: Int) {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        desk.close()
        wake.signal()
        ended.wait()
        _ = desk.drain(milliseconds: graceMilliseconds)
    }

    /// Hands out what is due, as far as there is room.
    func round() {
        let (busy, isHeldUp) = state.withLock { ($0.underWay, $0.failures > 0) }
        // While the database fails, one check shows whether it still does.
        let countMax = isHeldUp ? 1 : BackendLimits.subscriptionBatchMax
        let due: [SubscriptionKey]
        do {
            due = try database.read { scope in
                try SubscriptionRecords.due(
                    scope, now: clock.now(),
                    waitMillisecondsMax: SubscriptionSchedule.horizonMilliseconds,
                    countMax: countMax + busy.count)
            }
        } catch {
            failed(error)
            return
        }
        for key in due.filter({ !busy.contains($0) }).prefix(countMax) {
            guard let seat = desk.takeSeat() else { return }
            state.withLock { _ = $0.underWay.insert(key) }
            desk.start(seat) { [self] in
                check(key)
                state.withLock { _ = $0.underWay.remove(key) }
                // A worker is free; more may be due.
                wake.signal()
            }
        }
    }

    /// On a worker of the desk.
    private func check(_ key: SubscriptionKey) {
        guard !state.withLock({ $0.isStopping }) else { return }
        do {
            try checker.check(key)
            state.withLock { $0.failures = 0 }
        } catch let error where Refusal(of: error) != .failed {
            failed(error)
        } catch {
            log(.workerFailed, .detail("subscriptions: \(error)"))
            do {
                try checker.postpone(key, because: error)
            } catch {
                failed(error)
            }
        }
    }

    private func failed(_ error: any Error) {
        state.withLock { $0.failures += 1 }
        log(.workerFailed, .detail("subscriptions: \(error)"))
    }

    /// To when the next one is due, a tick at most; longer and longer while the database fails.
    private var waitMilliseconds: Int {
        let (failures, isBusy) = state.withLock { ($0.failures, !$0.underWay.isEmpty) }
        let tick = timings.workerTickMilliseconds
        if failures > 0 {
            let longest = max(timings.workerPauseMillisecondsMax, tick)
            return min(tick << min(failures, 16), longest)
        }
        guard !isBusy, let next = try? database.read({ try SubscriptionRecords.nextDue($0) })
        else { return tick }
        return min(max(Int(next.milliseconds - clock.now().milliseconds), 1), tick)
    }
}
