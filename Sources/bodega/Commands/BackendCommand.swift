import Foundation
import PurchaseBackend
import StoreLog
import StoreModel

/// `bodega backend`
enum BackendCommand {
    static let command = Command(
        "backend", "the purchase backend that an app developer runs",
        [
            Option(
                "products", "FILE", "the products and what they deliver (JSON)",
                isRequired: true),
            Option(
                "production-url", "URL", "the store's production address, without /verifyReceipt",
                variable: "BODEGA_PRODUCTION_URL", isRequired: true),
            Option(
                "sandbox-url", "URL", "the same for the sandbox", variable: "BODEGA_SANDBOX_URL",
                isRequired: true),
            Option("allow-sandbox", "also grant sandbox purchases"),
            sharedSecretFile,
            Option(
                "offer-key", "FILE", "the app's key for promotional offers (PEM, mode 0600)"),
            Option("offer-key-id", "ID", "its identifier at the store"),
            Option(
                "check-purchases", "HOURS",
                "ask the store again about each purchase after that time, 1 to 720 (24)"),
            Option(
                "refunded-consumables", "POLICY",
                "below-zero takes back what was used, too; keep-used does not (below-zero)",
                choices: RefundedConsumables.allCases.map(\.rawValue)),
            Option("ca-file", "FILE", "certificate authorities to trust instead of the system's"),
            data,
            Option("port", "PORT", "where to listen (8081); 0 picks a free one"),
            Option("host", "ADDRESS", "an address of this machine (127.0.0.1)"),
            Option("allow-plain-http", "listen beyond this machine without TLS"),
            Option(
                "allow-host", "NAME",
                "a host under which /operator and /console answer, beside localhost, 127.0.0.1 and "
                    + "--host; may be repeated, or several with commas",
                variable: "BODEGA_BACKEND_ALLOW_HOST"),
        ],
        details: """
            Without a subcommand it starts a backend, which serves product identifiers, signs users
            up and in, accepts receipts, verifies them with the store (production first, the sandbox
            on 21007) and delivers content once. Receipts that the store cannot verify yet are kept
            and retried. Subscriptions are followed: their newest receipt is verified again when a
            period ends, which requires the app's shared secret. Logs are JSON lines on standard
            error. SIGTERM finishes requests in flight and ends with exit code 0.

            \(BackendOperatorCommand.details)
            """,
        examples: [
            "bodega backend --products Examples/RocketCar/Backend/products.json "
                + "--production-url http://127.0.0.1:8080/production "
                + "--sandbox-url http://127.0.0.1:8080/sandbox --allow-sandbox",
            "bodega backend lookup user driver",
            "bodega backend lookup receipt /tmp/device/StoreKit/sandboxReceipt --json",
            "bodega backend lookup state stalled --limit 200",
        ],
        commands: BackendOperatorCommand.commands, run: serve)

    static let data = Option(
        "data", "DIR", "the backend's directory (~/.local/share/bodega-backend)",
        variable: "BODEGA_BACKEND_DATA")
    /// `BODEGA_SHARED_SECRET` is the secret itself and not the file's name.
    static let sharedSecretFile = Option(
        "shared-secret-file", "FILE",
        "the app's shared secret, one line, mode 0600; BODEGA_SHARED_SECRET holds the secret itself"
    )

    private static func serve(_ arguments: Arguments) throws {
        let configuration = try configuration(arguments)
        Heap.settle()
        Signals.hold()
        OpenFiles.raiseLimit()
        let lines = LineWriter(descriptor: 2)
        let server = try PurchaseBackendServer(configuration, log: Log(to: lines), wall: .system)
        Terminal.print(
            """
            bodega backend listens on \(server.url)
              data           \(configuration.dataDirectory)
              products       \(configuration.productListFile)
              operator       \(configuration.dataDirectory)/\(OperatorToken.fileName)
              console        \(server.url)/console/  (bodega backend console signs you in)
            """)
        Signals.wait()
        server.stop()
        lines.flush(milliseconds: 1_000)
    }

    private static func configuration(_ arguments: Arguments) throws -> BackendConfiguration {
        var configuration = BackendConfiguration(
            dataDirectory: ServerClient.Kind.backend.dataDirectory(arguments),
            productionURL: try Arguments.url(
                try arguments.required("production-url"), for: "--production-url"),
            sandboxURL: try Arguments.url(
                try arguments.required("sandbox-url"), for: "--sandbox-url"),
            productListFile: try arguments.required("products"))
        if let host = try arguments.host() { configuration.host = host }
        configuration.port = try arguments.port(8081)
        configuration.allowsPlainHTTP = arguments.has("allow-plain-http")
        configuration.allowedHosts = try arguments.allowedHosts()
        configuration.consoleFolder = arguments.consoleFolder
        configuration.allowsSandbox = arguments.has("allow-sandbox")
        configuration.certificateAuthorityFile = arguments.value("ca-file")
        configuration.offerKeyFile = arguments.value("offer-key")
        configuration.offerKeyID = arguments.value("offer-key-id")
        configuration.sharedSecret = try sharedSecret(arguments)
        if let policy = arguments.value("refunded-consumables") {
            configuration.refundedConsumables = RefundedConsumables(rawValue: policy) ?? .belowZero
        }
        if let hours = arguments.value("check-purchases") {
            guard let hours = Int64(hours), (1...720).contains(hours) else {
                throw UsageError("--check-purchases \(hours) is not a number from 1 to 720")
            }
            configuration.timings.grantCheckMilliseconds = hours * 3_600_000
        }
        return configuration
    }

    /// From a file or the environment, never from the command line, which every program on the
    /// machine can read.
    static func sharedSecret(_ arguments: Arguments) throws -> SharedSecret? {
        if let file = arguments.value("shared-secret-file") { return try SharedSecret(file: file) }
        let variable = SharedSecret.variable
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else {
            return nil
        }
        return try SharedSecret(text, from: "the environment variable \(variable)")
    }
}
