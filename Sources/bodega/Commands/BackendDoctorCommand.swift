import AppStoreServer
import PurchaseBackend

/// `bodega backend doctor`
enum BackendDoctorCommand {
    static let command = Command(
        "doctor", "check a backend's installation, and say what to do",
        [
            BackendCommand.data,
            Option("port", "PORT", "the port for a backend, when none runs here (8081)"),
            Option("host", "ADDRESS", "the address for it (127.0.0.1)"), .json,
        ],
        details: """
            Checks the data directory, its lock and free space, the clock, the libraries, the
            operator token, the database, and the backend's address. Changes nothing, even while
            the backend runs. Exit code 0 when nothing is bad, 1 otherwise.
            """,
        run: examine)

    private static func examine(_ arguments: Arguments) throws {
        let kind = ServerClient.Kind.backend
        let data = kind.dataDirectory(arguments)
        let installation = Installation(
            directory: data, server: "backend", work: "grant", wall: .system)
        let address = try DoctorReport.address(
            of: kind, installation, arguments, usualPort: 8081,
            ownPath: "/operator/v1/subscriptions?trouble=true&limit=1")
        try DoctorReport(
            data, findings(installation, data) + [address, DoctorReport.callerLibrary]
        )
        .show(arguments)
    }

    /// The findings that need no running backend, in the order in which to fix things.
    private static func findings(_ installation: Installation, _ data: String) -> [Finding] {
        let examination = BackendExamination(directory: data, isInUse: installation.isInUse)
        let clock = installation.clock(changed: examination.changed())
        let start =
            "start a backend once, with: bodega backend --data \(data) and its other options; or "
            + "name another with --data"
        if let absent = installation.absence(of: BackendExamination.parts, advice: start) {
            return [absent, clock, installation.libraries()]
        }
        let own = installation.dataDirectory()
        if own.state == .bad { return [own, clock, installation.libraries()] }
        return [
            own, installation.lock(), installation.disk(), clock, installation.libraries(),
            installation.token("operator token", bytesMin: BackendExamination.tokenBytesMin),
            database(examination, installation),
        ]
    }

    private static func database(
        _ examination: BackendExamination, _ installation: Installation
    ) -> Finding {
        guard examination.isPresent else {
            return Finding(
                "database", .bad, "\(examination.path) is missing",
                advice: "put it back from a backup; without one, the next start makes an empty one")
        }
        if let problem = examination.problem() {
            return Finding(
                "database", .bad, "\(examination.path): \(problem)",
                advice: "stop the backend and restore a backup of the file; keep the broken one")
        }
        return installation.openToOthers(examination.path)
            ?? Finding("database", .good, "whole, schema \(BackendExamination.schemaNumber)")
    }
}
