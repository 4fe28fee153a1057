import StoreHTTP

/// The settings with which a store starts.
package struct StoreConfiguration: Sendable {
    package var dataDirectory: String
    /// A numeric address of this machine.
    package var host: String
    /// 0 takes a free one.
    package var port: UInt16
    /// A second port, for TLS; 0 takes a free one.
    package var tlsPort: UInt16?
    /// Whether it may listen beyond this machine without TLS.
    package var allowsPlainHTTP: Bool
    /// Hosts under which `/control` answers, besides loopback and `host`.
    package var allowedHosts: [String] = []
    /// The gateway for the payments of real customers; without one they pay with credit alone.
    package var paymentGateway: PaymentGatewayConfiguration?
    /// Whether every request gets a line in the log.
    package var logsRequests = true

    package init(
        dataDirectory: String, host: String = "127.0.0.1", port: UInt16 = 8080,
        allowsPlainHTTP: Bool = false
    ) {
        self.dataDirectory = dataDirectory
        self.host = host
        self.port = port
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Whether it listens on all addresses of this machine.
    var listensEverywhere: Bool { ["0.0.0.0", "::"].contains(host) }

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool {
        ListenerConfiguration.isLoopback(host)
    }
}
