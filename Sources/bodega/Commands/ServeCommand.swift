import AppStoreServer
import Foundation
import Glibc
import StoreLog
import StoreModel
import StoreWire

/// `bodega serve`
enum ServeCommand {
    static let command = Command(
        "serve", "the store: catalogue, accounts, purchases, receipts, verifyReceipt",
        [
            data, Option("port", "PORT", "where to listen (8080); 0 picks a free one"),
            Option(
                "host", "ADDRESS", "an address of this machine (127.0.0.1)", variable: "BODEGA_HOST"
            ),
            Option(
                "tls-port", "PORT",
                "also speak TLS there, under Apple's host names; 0 picks a free one; see bodega trust",
                variable: "BODEGA_TLS_PORT"),
            Option("allow-plain-http", "listen beyond this machine without TLS"),
            Option(
                "allow-host", "NAME",
                "a host under which /control and /console answer, beside localhost, 127.0.0.1 and --host; "
                    + "may be repeated, or several with commas", variable: "BODEGA_ALLOW_HOST"),
            Option(
                "ocsp-url", "URL",
                "where verifiers reach this store, if not where it listens, to ask about certificates",
                variable: "BODEGA_OCSP_URL"),
            Option(
                "payment-gateway", "URL",
                "the payment provider for what production accounts' credit does not cover; see "
                    + "docs/payment-gateway.md", variable: "BODEGA_PAYMENT_GATEWAY"),
            Option(
                "payment-secret-file", "FILE",
                "the store's secret for the gateway, one line, mode 0600"),
            Option(
                "payment-ca-file", "FILE", "authorities to trust in place of the system's"),
            Option("quiet", "log failures and changes, not every request"),
            Option(
                "inspector",
                "keep the latest requests for bodega activity, even with a payment gateway"),
            Option("no-inspector", "do not keep the latest requests"),
            Option(
                "temporary",
                "keep everything in a temporary folder, until standard input ends; on a free port"),
        ],
        details: """
            The first start creates keys, roots and the control token, which it shows once, on a
            terminal alone; later commands find the token in the data directory or in BODEGA_TOKEN. Apps
            use the address .../sandbox as STOREKIT_URL; backends verify at .../sandbox/verifyReceipt and
            .../production/verifyReceipt. Other verifiers need a root certificate from the folder
            keys in the data directory: root-sandbox for receipts, signed-data-root-sandbox for data
            signed as JWS, each as .pem and .der; likewise -production, and -test-sandbox and
            -test-production for test sessions. With --tls-port, servers that call Apple by name reach
            the default world without a change in their code; bodega trust says how. Logs are JSON lines on standard error. SIGTERM
            finishes requests in flight and ends with exit code 0.

            With --temporary the store belongs to the process that started it. It prints one line of
            JSON when it is ready, with its address, process, folder, data directory and control
            token. It ends when its standard input does, which is when its owner ends in any way, or
            by a signal, and removes the folder. Whatever else its owner keeps there goes too.
            """,
        examples: [
            "bodega serve", "bodega serve --data ./store --port 0",
            "bodega serve --tls-port 8443",
            "bodega serve --payment-gateway https://payments.example.com/bodega "
                + "--payment-secret-file secret.txt",
        ], run: serve)

    static let data = Option(
        "data", "DIR", "keys, worlds and token (~/.local/share/bodega)",
        variable: "BODEGA_DATA")

    private static func serve(_ arguments: Arguments) throws {
        var configuration = try configuration(arguments)
        let isTemporary = arguments.has("temporary")
        let signals = isTemporary ? Signals.all : Signals.usual
        Heap.settle()
        Signals.hold(signals)
        OpenFiles.raiseLimit()
        let lines = LineWriter(descriptor: 2)
        let folder = isTemporary ? try TemporaryFolder() : nil
        if let folder { configuration.dataDirectory = "\(folder.path)/store" }
        do {
            let server = try StoreServer(configuration, log: Log(to: lines), wall: .system)
            if let folder {
                try tellOwner(of: server, configuration, in: folder)
            } else {
                announce(server, configuration)
            }
            Signals.wait(signals)
            if let folder { Leftovers.kill(startedFor: folder.path) }
            server.stop()
        } catch {
            folder?.remove()
            throw error
        }
        folder?.remove()
        lines.flush(milliseconds: 1_000)
        // Everything is closed. A thread that is still making the test sessions' keys must not run
        // into exit()'s teardown.
        _exit(0)
    }

    private static func configuration(_ arguments: Arguments) throws -> StoreConfiguration {
        let isTemporary = arguments.has("temporary")
        guard !isTemporary || arguments.typed("data") == nil else {
            throw UsageError(
                "--temporary makes a data directory of its own: leave out --data, or --temporary")
        }
        guard !isTemporary || !Owner.isGone else {
            throw UsageError(
                "--temporary serves until standard input ends, and it has ended: start it with a "
                    + "pipe that its owner keeps open, or on a terminal")
        }
        var configuration = StoreConfiguration(
            dataDirectory: ServerClient.Kind.store.dataDirectory(arguments),
            port: try arguments.port(isTemporary ? 0 : 8080))
        if let host = try arguments.host() { configuration.host = host }
        configuration.tlsPort = try arguments.port(named: "tls-port")
        configuration.allowsPlainHTTP = arguments.has("allow-plain-http")
        configuration.allowedHosts = try arguments.allowedHosts()
        configuration.consoleFolder = arguments.consoleFolder
        configuration.ocspAddress = arguments.value("ocsp-url")
        configuration.paymentGateway = try paymentGateway(arguments)
        configuration.logsRequests = !arguments.has("quiet")
        guard !arguments.has("inspector") || !arguments.has("no-inspector") else {
            throw UsageError("leave out --inspector, or --no-inspector")
        }
        if arguments.has("inspector") { configuration.keepsActivity = true }
        if arguments.has("no-inspector") { configuration.keepsActivity = false }
        configuration.commit = Bodega.commit
        return configuration
    }

    private static func paymentGateway(
        _ arguments: Arguments
    ) throws -> PaymentGatewayConfiguration? {
        guard let url = arguments.value("payment-gateway") else {
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

    /// Tells the owner of a temporary store all that it needs, on one line, and ends with it.
    private static func tellOwner(
        of server: StoreServer, _ configuration: StoreConfiguration, in folder: TemporaryFolder
    ) throws {
        let body = TemporaryStoreBody(
            url: server.url, tlsUrl: server.tlsURL, processId: getpid(), folder: folder.path,
            data: configuration.dataDirectory, controlToken: server.madeToken ?? "")
        let line = try WireJSON.encode(body) + [UInt8(ascii: "\n")]
        Owner.follow()
        // An owner that cannot be told is gone, and standard input has ended.
        try? FileHandle.standardOutput.write(contentsOf: Data(line))
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
              console        \(server.url)/console/  (bodega console signs you in)
              data           \(configuration.dataDirectory)
              roots          \(configuration.dataDirectory)/keys
            """)
        if let url = server.tlsURL {
            Terminal.print(
                "  TLS            \(url)  (bodega trust says what clients need for it)")
        }
        if server.isAuthorityReplaced {
            Terminal.note(
                "bodega: warning: the authority of TLS was replaced, and clients that trusted the old "
                    + "one must trust this one now; bodega trust says how")
        }
        if let token = server.madeToken {
            // A file or a container's log would keep it.
            let shown =
                isatty(1) == 1
                ? "\(token)  (shown once; kept in the data directory)"
                : "in \(configuration.dataDirectory)/control-token"
            Terminal.print("  control token  \(shown)")
        }
    }
}
