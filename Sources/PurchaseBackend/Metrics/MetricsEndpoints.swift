import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

enum MetricsEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        .metrics(
            of: "backend", openedBy: "operator token",
            .now { call in
                let tokens = [call.parts.metricsToken, call.parts.operators.door.token]
                try call.parts.hosts.admitToMetrics(
                    call.request, hasToken: tokens.contains { $0?.opens(call.request) == true })
                return try BackendMetrics.text(call.parts)
            })
    ]
}

/// The work of a backend that waits.
enum BackendMetrics {
    /// Due work beyond this is not counted.
    static let backlogMax: Int64 = 10_000

    /// Work that is due: its name, its index and what it is.
    static let queues = [
        (name: "submissions", sql: due("submissions", "next_try_at"), about: "Receipts"),
        (name: "subscriptions", sql: due("subscriptions", "next_check_at"), about: "Subscriptions"),
        (name: "grants", sql: due("grants", "next_check_at"), about: "Purchases"),
    ]

    private static func due(_ table: String, _ column: String) -> String {
        """
        SELECT count(*) AS count, min(at) AS oldest FROM (
            SELECT \(column) AS at FROM \(table)
            WHERE \(column) IS NOT NULL AND \(column) <= ?1 ORDER BY \(column) LIMIT ?2)
        """
    }

    static func text(_ parts: BackendParts) throws -> HTTPResponse {
        var text = MetricsText()
        text.info(
            "bodega_build", "The version of this program.", ["version": ProductVersion.text])
        text.requests(
            CountedAnswers.of(parts.meters.routes) + [.unrouted(parts.meters.unrouted)])
        let durations = parts.meters.commits.durations
        let batches = parts.meters.commits.batches
        let (times, sizes) = (durations.figures, batches.figures)
        text.commits(
            durations: [
                MetricsText.Distribution(
                    bounds: durations.bounds, counts: times.counts, sum: times.sum,
                    perUnit: 1_000_000_000)
            ],
            commands: [
                MetricsText.Distribution(
                    bounds: batches.bounds, counts: sizes.counts, sum: sizes.sum)
            ], failed: [MetricsText.Sample(parts.meters.commits.failed)],
            waiting: [MetricsText.Sample(parts.database.waitingWrites)])
        try addQueues(parts, to: &text)
        text.sizes(of: parts.database.sizes)
        text.counter(
            "bodega_log_lines_dropped", "Log lines that nobody read in time.",
            [MetricsText.Sample(parts.log.linesDropped)])
        return text.answer()
    }

    private static func addQueues(_ parts: BackendParts, to text: inout MetricsText) throws {
        let now = parts.now()
        for queue in queues {
            let row = try parts.database.read {
                try $0.row(queue.sql, [now.milliseconds, backlogMax])
            }
            let count: Int64 = try row?["count"] ?? 0
            let oldest: Int64? = try row?["oldest"]
            text.gauge(
                "bodega_\(queue.name)_due",
                "\(queue.about) that the store is to be asked about now, up to \(backlogMax).",
                [MetricsText.Sample(Int(count))])
            text.gauge(
                "bodega_\(queue.name)_oldest_age_seconds",
                "How long the first of them has been due.", unit: "seconds",
                [
                    MetricsText.Sample(
                        milliseconds: oldest.map { max(0, now.milliseconds - $0) } ?? 0)
                ])
        }
    }
}
