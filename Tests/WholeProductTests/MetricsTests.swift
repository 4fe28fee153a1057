import Foundation
import StoreWire
import TestSupport
import Testing

/// What the store counts, as Prometheus reads it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct MetricsTests {
    /// Scrapes of a lab's store, each kept in a file for the parser.
    private final class Scraper {
        let lab: Lab
        private(set) var files: [String] = []

        init(_ lab: Lab) {
            self.lab = lab
        }

        /// The values by name and labels, as they stand in the text.
        func scrape() throws -> [String: Double] {
            let token = try String(
                contentsOfFile: lab.storeData + "/metrics-token", encoding: .utf8)
            let answer = try Lab.call(
                "GET", lab.storeURL + "/metrics",
                token: token.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(answer.status == 200)
            let file = "\(lab.folder)/scrape-\(files.count)"
            try Data(answer.body).write(to: URL(fileURLWithPath: file))
            files.append(file)
            let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            return try lines.filter { !$0.hasPrefix("#") }.reduce(into: [:]) { values, line in
                let place = try #require(line.lastIndex(of: " "))
                values[String(line[..<place])] = Double(line[line.index(after: place)...])
            }
        }

        /// Judged by Prometheus' own parser.
        func judge() throws {
            let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
            let program = try Program(
                python,
                [
                    Lab.package + "/Tests/Verifiers/metrics.py", "--rules",
                    Lab.package + "/Packaging/prometheus-alerts.yml",
                ] + files,
                environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: lab.folder + "/logs")
            #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        }
    }

    private static func calls(_ call: String, _ outcome: String) -> String {
        #"bodega_provider_calls_total{call="\#(call)",outcome="\#(outcome)"}"#
    }

    @Test func `metrics follow OpenMetrics and move with what happens`() throws {
        let (lab, provider) = try Lab.openWithProvider(withBackend: false)
        let scraper = Scraper(lab)
        let before = try scraper.scrape()
        #expect(before["bodega_notifications_waiting"] == 0)
        #expect(before["bodega_renewals_due"] == 0)
        #expect((before["bodega_database_size_bytes"] ?? 0) > 0)

        try lab.openCardAccount("payer@example.com")
        try lab.bodega([
            "buy", Lab.fuel, "--account", "payer@example.com", "--environment", "production",
        ])
        try provider.set(faults: #"[{"fault": "decline", "address": "/authorizations"}]"#)
        try lab.bodega(
            ["buy", Lab.fuel, "--account", "payer@example.com", "--environment", "production"],
            code: 1)
        try lab.bodega(["clock", "hold", "2027-01-01"])
        try provider.set(faults: "[]")
        try lab.bodega([
            "buy", Lab.club, "--account", "payer@example.com", "--environment", "production",
        ])
        let bought = try scraper.scrape()
        let commits = #"bodega_commit_duration_seconds_count{worlds="default"}"#
        #expect((bought[commits] ?? 0) > (before[commits] ?? .infinity))
        let purchases = #"bodega_http_requests_total{method="POST",route="/control/v1/purchases","#
        #expect(bought[purchases + #"status="200"}"#] == 3)
        let durations = "bodega_http_request_duration_seconds"
        let route = #"{method="POST",route="/control/v1/purchases"}"#
        let answered = bought.filter { $0.key.hasPrefix(purchases) }.values.reduce(0, +)
        #expect(bought[durations + "_count" + route] == answered)
        #expect((bought[durations + "_sum" + route] ?? 0) > 0)
        #expect(bought[Self.calls("authorize", "approved")] == 2)
        #expect(bought[Self.calls("authorize", "declined")] == 1)
        // Nobody listens there: what is of production is tried again after an hour.
        try lab.bodega([
            "notification", "set", Lab.bundleID, "http://127.0.0.1:65535/", "--private",
            "--environment", "production",
        ])
        try lab.bodega(["clock", "advance", "32d"])
        try lab.bodega(["clock", "advance", "90s"])
        let late = try scraper.scrape()
        #expect((late["bodega_notifications_waiting"] ?? 0) >= 1, "that of the renewal")
        #expect((late["bodega_notifications_oldest_age_seconds"] ?? 0) >= 90)
        try lab.bodega(["backup", lab.folder + "/bodega.tar"])
        _ = try scraper.scrape()
        try scraper.judge()
    }
}
