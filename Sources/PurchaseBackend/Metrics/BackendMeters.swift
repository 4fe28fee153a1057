import StoreDatabase
import StoreHTTP

/// What a backend counts while it runs.
final class BackendMeters: Sendable {
    let routes = BackendRoutes.table.makeCounts()
    /// Answers to requests that reached no route.
    let unrouted = AnswerCounts()
    let commits = CommitMeter()
}
