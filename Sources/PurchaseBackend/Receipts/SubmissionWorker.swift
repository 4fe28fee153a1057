import Dispatch
import Foundation
import StoreDatabase
import StoreLog
import StoreModel
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
                let tick = DispatchTimeInterval.milliseconds(timings.workerTickMilliseconds)
                _ = wake.wait(timeout: .now() + tick)
            }
            ended.signal()
        }
        thread.name = "backend.worker"
        thread.start()
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
    /// It ends early when the store gives no answer, since the next ones would only wait for
    /// the same.
    @discardableResult
    func round() -> Bool {
        let countMax = BackendLimits.workerBatchMax
        let due: [SubmissionID]
        do {
            let now = clock.now()
            due = try database.read { scope in
                try SubmissionQueries.due(scope, now: now, countMax: countMax)
            }
        } catch {
            log(.workerFailed, .detail("\(error)"))
            return false
        }
        for id in due {
            guard !isStopping.withLock({ $0 }), settle(id) else { return false }
        }
        return due.count == countMax
    }

    /// False when the store could not be asked.
    private func settle(_ id: SubmissionID) -> Bool {
        do {
            let outcome = try settler.settle(id, requestID: Self.requestID)
            if case .kept = outcome { return false }
            return true
        } catch {
            log(.workerFailed, .submission(id), .detail("\(error)"))
            // Moved back, so that one bad row does not stand before all others.
            try? settler.keep(id, reason: "the backend failed: \(error)", requestID: Self.requestID)
            return true
        }
    }

    private static let requestID = "worker"
}
