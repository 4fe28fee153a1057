import AppStoreServer

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
            Checks the data directory, its lock and free space, how many files may be open, the
            clock, the libraries, the control token, keys, roots and TLS, the databases of the default
            world and of the first 100 test sessions with their snapshots, content, ledgers and
            certificates, the notifications that are still to be delivered, and the address of the
            store. Changes nothing, even while the store runs. Exit code 0 when nothing is bad, 1
            otherwise.
            """,
        examples: ["bodega doctor", "bodega doctor --data ./store --json"], run: examine)

    private static func examine(_ arguments: Arguments) throws {
        let kind = ServerClient.Kind.store
        let data = kind.dataDirectory(arguments)
        let examination = Examination(directory: data, wall: .system)
        let address = try DoctorReport.address(
            of: kind, examination.installation, arguments, usualPort: 8080,
            ownPath: "/control/v1/worlds")
        try DoctorReport(
            data, examination.findings() + [address, DoctorReport.callerLibrary]
        ).show(arguments)
    }
}
