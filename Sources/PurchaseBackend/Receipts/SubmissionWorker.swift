import StoreDatabase
import StoreLog
import StoreModel
import StoreService

/// Verifies kept submissions again, on a thread of its own, until they are granted or refused.
///
/// It works from rows, so it continues where the last process stopped.
final class SubmissionWorker: Sendable {
    private let database: Database
    private let settler: SubmissionSettler
    private let timings: BackendTimings
    private let clock: WallClock
    private let log: Log
    private let loop: DueLoop

    init(
        database: Database, settler: SubmissionSettler, timings: BackendTimings,
        clock: WallClock, log: Log
    ) {
        self.database = database
        self.settler = settler
        self.timings = timings
        self.clock = clock
        self.log = log
        loop = timings.loop("backend.worker")
    }

    func start() {
        loop.start { [self] in round() }
        loop.wake()
    }

    /// Ends after the submission in progress.
    func stop() {
        loop.stop()
    }

    /// One batch of due submissions.
    ///
    /// It ends early when the store gives no answer or asks for a pause, since the next submissions
    /// would only wait as well, and when the database fails, as on a full disk, since the store's
    /// answer could not be kept.
    @discardableResult
    func round() -> DueLoop.Next {
        let rest = DueLoop.Next.rest(milliseconds: Int64(timings.workerTickMilliseconds))
        let due: [SubmissionID]
        do {
            due = try database.read { [timings, now = clock.now()] scope in
                try SubmissionRecords.due(
                    scope, now: now, waitMillisecondsMax: timings.waitMillisecondsMax,
                    countMax: BackendLimits.workerBatchMax)
            }
        } catch {
            return failed(nil, error)
        }
        var stuck = 0
        for id in due {
            guard !loop.isStopped else { return rest }
            do {
                let outcome = try settler.settle(id, requestID: Self.requestID, isSpread: true)
                if case .kept(_, isStoreSilent: true) = outcome { return rest }
            } catch let error where Refusal(of: error) != .failed {
                return failed(id, error)
            } catch {
                failed(id, error)
                if !moveBack(id, error) { stuck += 1 }
            }
        }
        if due.count == BackendLimits.workerBatchMax, stuck < due.count { return .turn }
        return stuck > 0 ? .failed : rest
    }

    /// Keeps one bad row from blocking all others; false when that fails, too.
    private func moveBack(_ id: SubmissionID, _ error: any Error) -> Bool {
        do {
            try settler.keep(id, reason: "the backend failed: \(error)", requestID: Self.requestID)
            return true
        } catch {
            return false
        }
    }

    @discardableResult
    private func failed(_ id: SubmissionID?, _ error: any Error) -> DueLoop.Next {
        log(.workerFailed, (id.map { [.submission($0)] } ?? []) + [.detail("\(error)")])
        return .failed
    }

    static let requestID = "worker"
}
