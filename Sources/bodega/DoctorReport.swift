import AppStoreServer
import Foundation
import StoreCaller
import StoreWire

/// The findings of a doctor, as `bodega doctor` and `bodega backend doctor` print them.
struct DoctorReport: Codable {
    let dataDirectory: String
    let isSound: Bool
    let findings: [Finding]

    init(_ dataDirectory: String, _ findings: [Finding]) {
        self.dataDirectory = dataDirectory
        isSound = !findings.contains { $0.state == .bad }
        self.findings = findings
    }

    /// Prints it, and ends the program with exit code 1 unless the installation is sound.
    func show(_ arguments: Arguments) throws {
        try arguments.show(try WireJSON.encode(self)) { (report: DoctorReport) in report.text }
        if !isSound { exit(1) }
    }

    private var text: String {
        let width = findings.map(\.check.count).max() ?? 0
        let lines = findings.flatMap { finding in
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
        let end = isSound ? "This installation is sound." : "This installation needs attention."
        return (lines + [end]).joined(separator: "\n")
    }

    static var callerLibrary: Finding { Finding("libcurl", .good, callerLibraryVersion) }

    /// Whether the server that holds the directory answers and accepts its own token, at a path
    /// that needs it; when none runs, whether its port is free.
    static func address(
        of kind: ServerClient.Kind, _ installation: Installation, _ arguments: Arguments,
        usualPort: UInt16, ownPath: String
    ) throws -> Finding {
        let port = try arguments.port(usualPort)
        let host = try arguments.host() ?? "127.0.0.1"
        return installation.isInUse
            ? running(kind, below: kind.dataDirectory(arguments), ownPath)
            : installation.freePort(host: host, port: Int(port))
    }

    private static func running(
        _ kind: ServerClient.Kind, below data: String, _ ownPath: String
    ) -> Finding {
        let check = "address"
        let name = kind.name
        guard let url = try? ServerFile.address(below: data, start: kind.start),
            let token = kind.token(below: data)
        else {
            return Finding(
                check, .bad, "a \(name) runs here but has not written its address yet",
                advice: "wait a moment; if that does not help, restart it")
        }
        do {
            let ready = try Caller().send(request(url + "/ready", token))
            let own = try Caller().send(request(url + ownPath, token))
            switch (ready.status, own.status) {
            case (200, 200): return Finding(check, .good, "this \(name) answers at \(url)")
            case (_, 401), (_, 404):
                return Finding(
                    check, .bad, "another program answers at \(url)",
                    advice: "stop the one that should not run")
            default:
                return Finding(
                    check, .bad, "the \(name) at \(url) is not ready (\(ready.status))",
                    advice: "check its log")
            }
        } catch {
            return Finding(
                check, .bad, "a \(name) runs here but does not answer at \(url): \(error.detail)",
                advice: "check its log, then restart it")
        }
    }

    private static func request(_ url: String, _ token: String) -> CallerRequest {
        CallerRequest(
            method: "GET", url: url, headers: [("Authorization", "Bearer \(token)")], body: nil,
            timeoutMilliseconds: 10_000)
    }
}
