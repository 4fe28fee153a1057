import StoreModel
import StoreService

/// How long the backend waits, by the real clock; tests make these short.
package struct BackendTimings: Hashable, Sendable {
    /// An app that waited this long is told "kept"; below the listener's own 30 s.
    package var answerDeadlineMilliseconds = 25_000
    /// One whole call to the store; two of them fit into the deadline.
    package var storeCallMilliseconds = 10_000
    package var storeConnectMilliseconds = 3_000
    /// How often due submissions are looked for.
    package var workerTickMilliseconds = 1_000
    /// When a submission that no request settled is taken up by the worker.
    package var firstTryMilliseconds: Int64 = 60_000
    /// The wait after the first failed try; it doubles with each further one.
    package var retryMilliseconds: Int64 = 5_000
    package var retryMillisecondsMax: Int64 = 15 * 60_000
    /// The longest pause that a store is granted by its `Retry-After`.
    package var pauseMillisecondsMax: Int64 = 60 * 60_000
    /// How long a submission is tried again by itself, from its first try that failed.
    package var keepMilliseconds: Int64 = 7 * 86_400_000
    /// The longest wait of a worker whose database fails.
    package var workerPauseMillisecondsMax = 60_000
    /// How long a stopping server lets calls to the store finish.
    package var stopGraceMilliseconds = 3_000

    package init() {}

    /// The longest time that an open submission waits for its next try.
    var waitMillisecondsMax: Int64 {
        max(firstTryMilliseconds, retryMillisecondsMax, pauseMillisecondsMax)
            + retryMillisecondsMax / 2
    }

    /// The wait before the next try, after a number of failed ones.
    package func retryDelay(tries: Int64) -> Int64 {
        let doublings = min(max(tries - 1, 0), 30)
        return min(retryMilliseconds << doublings, retryMillisecondsMax)
    }

    /// A worker's loop: it looks at each tick, and less and less often while the database fails.
    func loop(_ name: String) -> DueLoop {
        let tick = Int64(workerTickMilliseconds)
        return DueLoop(
            name, restMillisecondsMax: tick,
            failureMilliseconds: 2 * tick...max(Int64(workerPauseMillisecondsMax), 2 * tick))
    }

    /// What becomes of a submission after a try that decided nothing; nil gives it up.
    ///
    /// A random part of up to half the wait is left out, so that what failed together does not
    /// come back together. `chance` is below 1. What the store asked for is never cut.
    func nextTry(
        now: Timestamp, tries: Int64, giveUpAt: Timestamp, pauseMilliseconds: Int64?,
        chance: Double
    ) -> Timestamp? {
        guard now < giveUpAt else { return nil }
        let whole = retryDelay(tries: tries)
        let spread = Int64(Double(whole / 2) * chance)
        guard let pause = pauseMilliseconds, pause > whole - spread else {
            return now.adding(milliseconds: whole - spread)
        }
        return now.adding(milliseconds: pause + Int64(Double(whole / 2) * chance))
    }
}
