import Foundation
import PurchaseBackend
import StoreLog
import StoreModel

/// `bodega backend`
enum BackendCommand {
    static let command = Command(
        help: """
            bodega backend: the purchase backend that an app developer runs

              bodega backend --products FILE --production-url URL --sandbox-url URL
                             [--allow-sandbox] [--shared-secret-file FILE] [--data DIR]
                             [--port 8081] [--host 127.0.0.1]

            Serves product identifiers, signs users up and in, takes receipts, asks the store
            whether they are good (production first, the sandbox on 21007) and delivers content
            once. What the store cannot answer for is kept and tried again. Subscriptions are
            followed: their newest receipt is verified again when they end. Logs are JSON lines
            on standard error. SIGTERM finishes what is in flight and ends with exit code 0.

            Options:
              --products FILE        which products there are and what they deliver (JSON)
              --production-url URL   below which the store's production /verifyReceipt stands
              --sandbox-url URL      the same for the sandbox
              --allow-sandbox        grant sandbox purchases, too
              --shared-secret-file FILE  the app's shared secret, one line, mode 0600
                                     (BODEGA_SHARED_SECRET holds the secret itself); needed
                                     for auto-renewable subscriptions
              --offer-key FILE       the app's key for promotional offers (PEM, mode 0600)
              --offer-key-id ID      its identifier at the store
              --ca-file FILE         certificate authorities to trust instead of the system's
              --data DIR             the backend's database (BODEGA_BACKEND_DATA,
                                     ~/.local/share/bodega-backend)
              --port PORT            0 takes a free one
              --host ADDRESS         an address of this machine
              --allow-plain-http     listen beyond this machine without TLS
              --allow-host NAME      a host under which /operator answers, beside localhost,
                                     127.0.0.1 and --host; may be repeated
                                     (BODEGA_BACKEND_ALLOW_HOST, with commas)

            Example:
              bodega backend --products Examples/RocketCar/Backend/products.json \\
                  --production-url http://127.0.0.1:8080/production \\
                  --sandbox-url http://127.0.0.1:8080/sandbox --allow-sandbox

            \(BackendOperatorCommand.help)
            """,
        options: BackendOperatorCommand.options.union([
            "products", "production-url", "sandbox-url", "shared-secret-file", "offer-key",
            "offer-key-id", "ca-file", "data",
            "port", "host", "allow-host",
        ]), flags: ["allow-sandbox", "allow-plain-http", "json"]
    ) { arguments in
        if let word = arguments.positional.first, BackendOperatorCommand.words.contains(word) {
            return try BackendOperatorCommand.run(arguments)
        }
        guard arguments.positional.isEmpty else {
            throw arguments.notOne(
                of: "lookup", "retry", "recheck", "subscriptions", "check",
                "nothing, to start one")
        }
        try serve(arguments)
    }

    private static func serve(_ arguments: Arguments) throws {
        let configuration = try configuration(arguments)
        Heap.settle()
        Signals.hold()
        let lines = LineWriter(descriptor: 2)
        let server = try PurchaseBackendServer(configuration, log: Log(to: lines), wall: .system)
        Terminal.print(
            """
            bodega backend listens on \(server.url)
              data           \(configuration.dataDirectory)
              products       \(configuration.productListFile)
              operator       \(configuration.dataDirectory)/\(OperatorToken.fileName)
            """)
        Signals.wait()
        server.stop()
        lines.flush(milliseconds: 1_000)
    }

    private static func configuration(_ arguments: Arguments) throws -> BackendConfiguration {
        var configuration = BackendConfiguration(
            dataDirectory: OperatorClient.dataDirectory(arguments),
            productionURL: try Arguments.url(
                try arguments.required(
                    "production-url", environment: "BODEGA_PRODUCTION_URL"),
                for: "--production-url"),
            sandboxURL: try Arguments.url(
                try arguments.required("sandbox-url", environment: "BODEGA_SANDBOX_URL"),
                for: "--sandbox-url"),
            productListFile: try arguments.required("products"))
        if let host = try arguments.host() { configuration.host = host }
        configuration.port = try arguments.port(8081)
        configuration.allowsPlainHTTP = arguments.has("allow-plain-http")
        configuration.allowedHosts = try arguments.allowedHosts(
            environment: "BODEGA_BACKEND_ALLOW_HOST")
        configuration.allowsSandbox = arguments.has("allow-sandbox")
        configuration.certificateAuthorityFile = arguments.value("ca-file")
        configuration.offerKeyFile = arguments.value("offer-key")
        configuration.offerKeyID = arguments.value("offer-key-id")
        configuration.sharedSecret = try sharedSecret(arguments)
        return configuration
    }

    /// From a file or the environment, never from the command line, which every program of the
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
