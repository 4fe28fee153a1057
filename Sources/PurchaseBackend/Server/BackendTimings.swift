import StoreModel
import StoreService

/// How long the backend waits, by the real clock; tests make these short.
package struct BackendTimings: Hashable, Sendable {
    /// An app that has waited this long is answered "kept"; below the listener's own 30 s.
    package var answerDeadlineMilliseconds = 25_000
    /// One whole call to the store; two of them fit into the deadline.
    package var storeCallMilliseconds = 10_000
    package var storeConnectMilliseconds = 3_000
    /// How often due submissions are looked for.
    package var workerTickMilliseconds = 1_000
    /// When the worker takes up a submission that a request did not settle.
    package var firstTryMilliseconds: Int64 = 60_000
    /// The wait after the first failed try; it doubles with each further one.
    package var retryMilliseconds: Int64 = 5_000
    package var retryMillisecondsMax: Int64 = 15 * 60_000
    /// The longest pause that a store may request by its `Retry-After`.
    package var pauseMillisecondsMax: Int64 = 60 * 60_000
    /// How long a submission is retried automatically, from its first failed try.
    package var keepMilliseconds: Int64 = 7 * 86_400_000
    /// How long a new grant stands before the store is asked again whether it revoked the purchase;
    /// an older one waits longer (`grantWait`), and subscriptions have their own schedule.
    package var grantCheckMilliseconds: Int64 = 24 * 3_600_000
    /// How old an answer about a purchase may be when its content is given.
    package var contentFreshMilliseconds: Int64 = 1_000
    /// How old one about a served subscription may be when a user's purchases are listed.
    package var listFreshMilliseconds: Int64 = 1_000
    /// The longest wait of a worker whose database fails.
    package var workerPauseMillisecondsMax = 60_000
    /// How long a stopping server lets calls to the store finish.
    package var stopGraceMilliseconds = 3_000

    /// The longest time that an open submission waits for its next try.
    var waitMillisecondsMax: Int64 {
        max(firstTryMilliseconds, retryMillisecondsMax, pauseMillisecondsMax)
            + retryMillisecondsMax / 2
    }

    /// The wait until the next check of a grant, by how long it has stood: a thirtieth of that, once
    /// it is more than the configured wait, and thirty times that at most.
    package func grantWait(ageMilliseconds: Int64) -> Int64 {
        min(max(grantCheckMilliseconds, ageMilliseconds / 30), 30 * grantCheckMilliseconds)
    }

    /// The longest time until the next check of a grant.
    var grantWaitMillisecondsMax: Int64 {
        max(30 * grantCheckMilliseconds, SubscriptionSchedule.dayMilliseconds, waitMillisecondsMax)
    }

    /// The wait before the next try, after a number of failed ones.
    package func retryDelay(tries: Int64) -> Int64 {
        let doublings = min(max(tries - 1, 0), 30)
        return min(retryMilliseconds << doublings, retryMillisecondsMax)
    }

    /// A worker's loop: it runs at each tick, and less often while the database fails.
    func loop(_ name: String) -> DueLoop {
        let tick = Int64(workerTickMilliseconds)
        return DueLoop(
            name, restMillisecondsMax: tick,
            failureMilliseconds: 2 * tick...max(Int64(workerPauseMillisecondsMax), 2 * tick))
    }

    /// The next try of a submission after an undecided one; nil gives it up.
    ///
    /// A random part of up to half the wait is left out, so that submissions that failed together
    /// do not come back together. `chance` is below 1. A pause that the store requested is never
    /// cut.
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
