import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

enum MetricsEndpoints: BackendEndpoints {
    static let path = "/metrics"

    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", path, "getMetrics", "What the backend counts, for Prometheus",
            about: "In the text format of OpenMetrics 1.0. The names stay; new ones may be added.",
            answers: [
                Answer(
                    200, "The values.", .bytes(MetricsText.mediaType, schema: ["type": "string"]))
            ],
            refuses: [
                401: """
                `metricsTokenWrong`: neither the metrics token nor the operator token is given.
                """
            ],
            .now { call in
                try call.parts.admitToMetrics(call.request)
                return try BackendMetrics.text(call.parts)
            }
        )
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
        text.counter(
            "bodega_http_requests", "Answered requests, by the pattern of their path.",
            MetricsText.requests(parts.meters.routes)
                + MetricsText.requests(unrouted: parts.meters.unrouted))
        let durations = parts.meters.commits.durations
        let batches = parts.meters.commits.batches
        let (times, sizes) = (durations.figures, batches.figures)
        text.histogram(
            "bodega_commit_duration_seconds", "From the first command of a commit to the disk.",
            unit: "seconds",
            [
                MetricsText.Distribution(
                    bounds: durations.bounds, counts: times.counts, sum: times.sum,
                    perUnit: 1_000_000_000)
            ])
        text.histogram(
            "bodega_commit_commands", "The number of writes that share a commit.",
            [
                MetricsText.Distribution(
                    bounds: batches.bounds, counts: sizes.counts, sum: sizes.sum)
            ])
        text.counter(
            "bodega_commits_failed", "Commits that failed because of the disk.",
            [MetricsText.Sample(parts.meters.commits.failed)])
        text.gauge(
            "bodega_writes_waiting", "Writes that wait for their commit.",
            [MetricsText.Sample(parts.database.waitingWrites)])
        try addQueues(parts, to: &text)
        let files = parts.database.sizes
        text.gauge(
            "bodega_database_size_bytes", "The database file.", unit: "bytes",
            [MetricsText.Sample(Int(files.file))])
        text.gauge(
            "bodega_database_log_size_bytes", "The write-ahead log beside that file.",
            unit: "bytes", [MetricsText.Sample(Int(files.log))])
        if let free = files.free {
            text.gauge(
                "bodega_disk_free_bytes", "Room left on the disk of that file.", unit: "bytes",
                [MetricsText.Sample(Int(free))])
        }
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

extension BackendParts {
    /// A monitoring system has a token of its own, with which it can read numbers and nothing else.
    fileprivate func admitToMetrics(_ request: HTTPRequest) throws {
        try hosts.admit(request)
        guard metricsToken?.opens(request) == true || operators.token.opens(request) else {
            throw Refusal(
                401, "metricsTokenWrong",
                "The metrics token is missing or wrong; find it in the data directory's "
                    + "metrics-token file.")
        }
    }
}
