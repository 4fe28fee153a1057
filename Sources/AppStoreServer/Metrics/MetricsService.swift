import Glibc
import StoreDatabase
import StoreHTTP
import StoreLog
package import StoreModel
import StoreService

/// Writes what was counted, and reads the rest at that moment: along indices, and at most so many
/// rows, so that a scrape costs the same in a large store.
enum MetricsService {
    /// Due work beyond this is not counted.
    static let backlogMax: Int64 = 10_000
    /// From when on, by the world's clock, due work counts as late.
    static let lateMilliseconds: Int64 = 60_000

    static func text(_ call: Call<StoreHandler>) throws -> HTTPResponse {
        var text = MetricsText()
        add(call.build, to: &text)
        addRequests(call.meters, to: &text)
        addCommits(call.meters, call.worlds, to: &text)
        try addWork(of: call.worlds.defaultWorld, to: &text)
        text.counter(
            "bodega_provider_calls",
            "Calls of the payment provider; after an unknown outcome it is asked again.",
            call.meters.provider.figures.map {
                MetricsText.Sample($0.count, ["call": $0.call, "outcome": $0.outcome])
            })
        text.counter(
            "bodega_log_lines_dropped", "Log lines that nobody read in time.",
            [MetricsText.Sample(call.log.linesDropped)])
        if let backup = call.worlds.lastBackup {
            text.gauge(
                "bodega_last_backup_time_seconds",
                "When the last backup was made, in seconds since 1970.", unit: "seconds",
                [MetricsText.Sample(milliseconds: backup.milliseconds)])
        }
        return text.answer()
    }

    private static func add(_ build: BuildInfo, to text: inout MetricsText) {
        text.info(
            "bodega_build", "The version of this program, and its commit if it was packaged.",
            ["version": build.version, "commit": build.commit])
        text.gauge(
            "bodega_start_time_seconds", "When this process started, in seconds since 1970.",
            unit: "seconds", [MetricsText.Sample(milliseconds: build.startedAt.milliseconds)])
    }

    private static func addRequests(_ meters: StoreMeters, to text: inout MetricsText) {
        text.requests(
            CountedAnswers.of(meters.root) + CountedAnswers.of(meters.control, at: "/control/v1")
                + StoreEnvironment.allCases.flatMap {
                    CountedAnswers.of(meters.environment($0), at: "/\($0.rawValue)")
                } + [.unrouted(meters.unrouted)],
            about: "; those of test sessions are included")
    }

    private static func addCommits(
        _ meters: StoreMeters, _ worlds: WorldRegistry, to text: inout MetricsText
    ) {
        let base = worlds.defaultWorld.database
        let sessions = worlds.openSessionWrites()
        let all: [(MetricsText.Labels, CommitMeter)] = [
            (["worlds": "default"], meters.commits),
            (["worlds": "sessions"], meters.sessionCommits),
        ]
        text.commits(
            durations: all.map { labels, meter in
                let figures = meter.durations.figures
                return MetricsText.Distribution(
                    bounds: meter.durations.bounds, counts: figures.counts, sum: figures.sum,
                    perUnit: 1_000_000_000, labels)
            },
            commands: all.map { labels, meter in
                let figures = meter.batches.figures
                return MetricsText.Distribution(
                    bounds: meter.batches.bounds, counts: figures.counts, sum: figures.sum, labels)
            }, failed: all.map { MetricsText.Sample($1.failed, $0) },
            waiting: [
                MetricsText.Sample(base.waitingWrites, ["worlds": "default"]),
                MetricsText.Sample(sessions.waiting, ["worlds": "sessions"]),
            ])
        text.gauge(
            "bodega_sessions_open", "Test sessions whose files are open.",
            [MetricsText.Sample(sessions.count)])
    }

    /// The default world's; a session's are its owner's business.
    private static func addWork(of world: World, to text: inout MetricsText) throws {
        let now = world.time.now()
        let (due, late, outbox) = try world.database.read { scope in
            (
                try scope.dueRenewalCount(until: now, max: backlogMax),
                try scope.dueRenewalCount(
                    until: now.adding(milliseconds: -lateMilliseconds), max: backlogMax),
                try scope.waitingNotificationCount(max: backlogMax)
            )
        }
        let limit = "in the default world, up to \(backlogMax)."
        func gauge(_ name: String, _ help: String, _ value: Int64) {
            text.gauge(name, help, [MetricsText.Sample(Int(value))])
        }
        func age(_ name: String, _ help: String, since oldest: Timestamp?) {
            let age = oldest.map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
            text.gauge(name, help, unit: "seconds", [MetricsText.Sample(milliseconds: age)])
        }
        gauge("bodega_renewals_due", "Subscriptions that are due now \(limit)", due.count)
        gauge(
            "bodega_renewals_late",
            "Those that have been due for more than a minute of the world's clock \(limit)",
            late.count)
        age(
            "bodega_renewals_oldest_age_seconds",
            "How long the first of them has been due, by the world's clock.", since: due.oldest)
        gauge(
            "bodega_notifications_waiting", "Notifications still to be delivered \(limit)",
            outbox.count)
        age(
            "bodega_notifications_oldest_age_seconds",
            "The age of the oldest of them, by the world's clock.", since: outbox.oldest)
        text.sizes(of: world.database.sizes)
    }
}

/// Which program this is, and since when it runs.
package struct BuildInfo: Sendable {
    let version: String
    /// Empty for a build that nobody packaged.
    let commit: String
    let startedAt: Timestamp

    package init(
        version: String = ProductVersion.text, commit: String = "",
        startedAt: Timestamp = Timestamp(milliseconds: 0)
    ) {
        (self.version, self.commit, self.startedAt) = (version, commit, startedAt)
    }
}
