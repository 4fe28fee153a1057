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
    /// How long a stopping server lets calls to the store finish.
    package var stopGraceMilliseconds = 3_000

    package init() {}

    /// The wait before the next try, after a number of failed ones.
    package func retryDelay(tries: Int64) -> Int64 {
        let doublings = min(max(tries - 1, 0), 30)
        return min(retryMilliseconds << doublings, retryMillisecondsMax)
    }
}
