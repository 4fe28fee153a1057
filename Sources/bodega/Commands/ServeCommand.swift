import AppStoreServer
import Foundation
import Glibc
import StoreLog
import StoreModel

/// `bodega serve`
enum ServeCommand {
    static let command = Command(
        help: """
            bodega serve: the store

              bodega serve [--data DIR] [--port 8080] [--host 127.0.0.1]
                           [--payment-gateway URL [--payment-secret-file FILE]]

            The first start makes keys, roots and the control token, which it shows once; later
            commands find the token in the data directory or in BODEGA_TOKEN. Apps use the address
            .../sandbox as STOREKIT_URL; backends verify at .../sandbox/verifyReceipt and
            .../production/verifyReceipt. Logs are JSON lines on standard error. SIGTERM finishes
            what is in flight and ends with exit code 0.

            Options:
              --data DIR           keys, worlds and token (BODEGA_DATA, ~/.local/share/bodega)
              --port PORT          0 takes a free one
              --host ADDRESS       an address of this machine
              --allow-plain-http   listen beyond this machine without TLS
              --allow-host NAME    a host under which /control answers, beside localhost,
                                   127.0.0.1 and --host; may be repeated (BODEGA_ALLOW_HOST,
                                   with commas)
              --payment-gateway URL
                                   who takes the money of production's accounts when their
                                   credit lacks it (BODEGA_PAYMENT_GATEWAY); see
                                   docs/payment-gateway.md
              --payment-secret-file FILE
                                   what the gateway knows the store by, one line, mode 0600
              --payment-ca-file FILE
                                   authorities to trust in place of the system's
              --quiet              log failures and changes, not every request

            Examples:
              bodega serve
              bodega serve --data ./store --port 0
              bodega serve --payment-gateway https://payments.example.com/bodega \\
                           --payment-secret-file secret.txt
            """,
        options: [
            "data", "port", "host", "payment-gateway", "payment-secret-file", "payment-ca-file",
            "allow-host",
        ],
        flags: ["allow-plain-http", "quiet"]
    ) { arguments in
        try arguments.refuseMore(than: 0)
        var configuration = StoreConfiguration(
            dataDirectory: ControlClient.dataDirectory(arguments),
            port: try arguments.port(8080))
        if let host = try arguments.host(environment: "BODEGA_HOST") { configuration.host = host }
        configuration.allowsPlainHTTP = arguments.has("allow-plain-http")
        configuration.allowedHosts = try arguments.allowedHosts(environment: "BODEGA_ALLOW_HOST")
        configuration.paymentGateway = try paymentGateway(arguments)
        configuration.logsRequests = !arguments.has("quiet")
        Heap.settle()
        Signals.hold()
        OpenFiles.raiseLimit()
        let lines = LineWriter(descriptor: 2)
        let server = try StoreServer(configuration, log: Log(to: lines), wall: .system)
        announce(server, configuration)
        Signals.wait()
        server.stop()
        lines.flush(milliseconds: 1_000)
        // Everything is closed. A thread that still makes the test sessions' keys must not meet
        // what exit() tears down.
        _exit(0)
    }

    private static func paymentGateway(
        _ arguments: Arguments
    ) throws -> PaymentGatewayConfiguration? {
        let environment = ProcessInfo.processInfo.environment["BODEGA_PAYMENT_GATEWAY"]
        guard let url = arguments.value("payment-gateway") ?? environment else {
            for option in ["payment-secret-file", "payment-ca-file"]
            where arguments.value(option) != nil {
                throw UsageError("--\(option) needs --payment-gateway")
            }
            return nil
        }
        return try PaymentGatewayConfiguration(
            url: url, secretFile: arguments.value("payment-secret-file"),
            certificateAuthorityFile: arguments.value("payment-ca-file"))
    }

    private static func announce(_ server: StoreServer, _ configuration: StoreConfiguration) {
        if !configuration.isLoopback {
            Terminal.note(
                "bodega: warning: \(configuration.host) speaks plain HTTP: everybody on the way "
                    + "can read and change what is sent")
        }
        Terminal.print(
            """
            bodega listens on \(server.url)
              production     \(server.url)/production
              sandbox        \(server.url)/sandbox
              data           \(configuration.dataDirectory)
              roots          \(configuration.dataDirectory)/keys
            """)
        if let token = server.madeToken {
            Terminal.print("  control token  \(token)  (shown once; kept in the data directory)")
        }
    }
}
