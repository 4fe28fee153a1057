import Dispatch
import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// Verifies kept submissions again, on a thread of its own, until they are granted or refused.
///
/// It reads rows, so it goes on where the last process stopped.
final class SubmissionWorker: Sendable {
    private let database: Database
    private let settler: SubmissionSettler
    private let timings: BackendTimings
    private let clock: WallClock
    private let log: Log
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isStopping = Mutex(false)
    /// Rounds in a row that the database failed.
    private let failures = Mutex(0)

    init(
        database: Database, settler: SubmissionSettler, timings: BackendTimings,
        clock: WallClock, log: Log
    ) {
        self.database = database
        self.settler = settler
        self.timings = timings
        self.clock = clock
        self.log = log
    }

    func start() {
        let thread = Thread { [self] in
            while !isStopping.withLock({ $0 }) {
                if round() { continue }
                _ = wake.wait(timeout: .now() + .milliseconds(waitMilliseconds))
            }
            ended.signal()
        }
        thread.name = "backend.worker"
        thread.start()
    }

    /// The wait before the next round; it doubles while the database fails, as on a full disk,
    /// since each try would ask the store for an answer that cannot be kept.
    var waitMilliseconds: Int {
        let doublings = min(failures.withLock { $0 }, 16)
        let longest = max(timings.workerPauseMillisecondsMax, timings.workerTickMilliseconds)
        return min(timings.workerTickMilliseconds << doublings, longest)
    }

    /// Ends the thread after the submission it is busy with.
    func stop() {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return }
        wake.signal()
        ended.wait()
    }

    /// One batch of due submissions; true when there may be more to do at once.
    ///
    /// It ends early when the store gives no answer or asks for a pause, since the next
    /// ones would only wait for the same.
    @discardableResult
    func round() -> Bool {
        let countMax = BackendLimits.workerBatchMax
        let due: [SubmissionID]
        do {
            let now = clock.now()
            let longest = timings.waitMillisecondsMax
            due = try database.read { scope in
                try SubmissionRecords.due(
                    scope, now: now, waitMillisecondsMax: longest, countMax: countMax)
            }
        } catch {
            failed(nil, error)
            return false
        }
        for id in due {
            guard !isStopping.withLock({ $0 }), settle(id) else { return false }
        }
        return due.count == countMax
    }

    private func failed(_ id: SubmissionID?, _ error: any Error) {
        failures.withLock { $0 += 1 }
        log(.workerFailed, (id.map { [.submission($0)] } ?? []) + [.detail("\(error)")])
    }

    /// False when the store is silent, or its answer could not be written down.
    private func settle(_ id: SubmissionID) -> Bool {
        do {
            let outcome = try settler.settle(
                id, requestID: Self.requestID, isSpread: true)
            failures.withLock { $0 = 0 }
            if case .kept(_, isStoreSilent: true) = outcome { return false }
            return true
        } catch let error where Refusal(of: error) != .failed {
            failed(id, error)
            return false
        } catch {
            failed(id, error)
            // Moved back, so that one bad row does not stand before all others.
            try? settler.keep(id, reason: "the backend failed: \(error)", requestID: Self.requestID)
            return true
        }
    }

    static let requestID = "worker"
}
