import AppStoreServer
import Foundation
import StoreCaller
import StoreWire

/// `bodega doctor`
enum DoctorCommand {
    static let command = Command(
        "doctor", "check an installation, and say what to do",
        [
            ServeCommand.data,
            Option("port", "PORT", "the port for a store, when none runs here (8080)"),
            Option(
                "host", "ADDRESS", "the address for it (127.0.0.1)",
                variable: "BODEGA_HOST"),
            .json,
        ],
        details: """
            Checks the data directory, its lock and free space, the clock, the libraries, the
            control token, keys and roots, the databases of the default world and of the first 100
            test sessions with their snapshots, content and ledgers, and the address of the store.
            Changes nothing, even while the store runs. Exit code 0 when nothing is bad, 1
            otherwise.
            """,
        examples: ["bodega doctor", "bodega doctor --data ./store --json"], run: examine)

    private static func examine(_ arguments: Arguments) throws {
        let port = try arguments.port(8080)
        let host = try arguments.host() ?? "127.0.0.1"
        let data = ServerClient.Kind.store.dataDirectory(arguments)
        let examination = Examination(directory: data, wall: .system)
        var findings = examination.findings()
        findings.append(
            examination.isInUse
                ? runningStore(below: data)
                : examination.freePort(host: host, port: Int(port)))
        findings.append(Finding("libcurl", .good, callerLibraryVersion))
        let isSound = !findings.contains { $0.state == .bad }
        let report = Report(dataDirectory: data, isSound: isSound, findings: findings)
        try arguments.show(try WireJSON.encode(report)) { (report: Report) in text(of: report) }
        if !isSound { exit(1) }
    }

    private struct Report: Codable {
        let dataDirectory: String
        let isSound: Bool
        let findings: [Finding]
    }

    private static func text(of report: Report) -> String {
        let width = report.findings.map(\.check.count).max() ?? 0
        let lines = report.findings.flatMap { finding in
            let mark =
                switch finding.state {
                case .good: "ok     "
                case .warning: "warning"
                case .bad: "BAD    "
                }
            let check = finding.check.padding(toLength: width, withPad: " ", startingAt: 0)
            let advice = finding.advice.map { String(repeating: " ", count: 9) + "-> \($0)" }
            return ["\(mark)  \(check)  \(finding.finding)"] + (advice.map { [$0] } ?? [])
        }
        let end =
            report.isSound ? "This installation is sound." : "This installation needs attention."
        return (lines + [end]).joined(separator: "\n")
    }

    /// Whether the store that holds the directory answers, and accepts its own token.
    private static func runningStore(below data: String) -> Finding {
        let check = "address"
        guard let url = try? ServerFile.address(below: data, start: "bodega serve"),
            let token = ServerClient.Kind.store.token(below: data)
        else {
            return Finding(
                check, .bad, "a store runs here but has not written its address yet",
                advice: "wait a moment; if that does not help, restart it")
        }
        do {
            let ready = try Caller().send(request(url + "/ready", token))
            let list = try Caller().send(request(url + "/control/v1/worlds", token))
            switch (ready.status, list.status) {
            case (200, 200): return Finding(check, .good, "this store answers at \(url)")
            case (_, 401), (_, 404):
                return Finding(
                    check, .bad, "another program answers at \(url)",
                    advice: "stop the one that should not run")
            default:
                return Finding(
                    check, .bad, "the store at \(url) is not ready (\(ready.status))",
                    advice: "check its log")
            }
        } catch {
            return Finding(
                check, .bad, "a store runs here but does not answer at \(url): \(error.detail)",
                advice: "check its log, then restart it")
        }
    }

    private static func request(_ url: String, _ token: String) -> CallerRequest {
        CallerRequest(
            method: "GET", url: url, headers: [("Authorization", "Bearer \(token)")], body: nil,
            timeoutMilliseconds: 10_000)
    }
}
