import Foundation
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
    /// Where verifiers reach this store, when that is not where it listens; stands in new
    /// certificates.
    package var ocspAddress: String?
    /// The gateway for the payments of real customers; without one they pay with credit alone.
    package var paymentGateway: PaymentGatewayConfiguration?
    /// The commit that the program was packaged from; empty for other builds.
    package var commit = ""
    /// Where the console's files are read from, instead of those in the program.
    package var consoleFolder: String?
    /// Whether every request gets a line in the log.
    package var logsRequests = true
    /// Whether the latest requests are kept in memory for `/control/v1/activity`. When it is nil, they
    /// are unless real customers pay.
    package var keepsActivity: Bool?

    package init(
        dataDirectory: String, host: String = "127.0.0.1", port: UInt16 = 8080,
        allowsPlainHTTP: Bool = false
    ) {
        self.dataDirectory = dataDirectory
        self.host = host
        self.port = port
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// The address for certificates; throws unless verifiers can use it.
    func checkedOCSPAddress() throws(StartFailure) -> String? {
        guard let text = ocspAddress else { return nil }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, text.utf8.count <= Limits.ocspAddressBytesMax, !text.hasSuffix("/"),
            let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
            url.host?.isEmpty == false, url.query == nil, url.fragment == nil, url.user == nil
        else {
            throw StartFailure(
                "\(text.prefix(200)) is not an address for --ocsp-url: give one such as "
                    + "http://store.example:8080, of at most \(Limits.ocspAddressBytesMax) bytes")
        }
        return text
    }

    var hasInspector: Bool { keepsActivity ?? (paymentGateway == nil) }

    /// Whether it listens on all addresses of this machine.
    var listensEverywhere: Bool { ["0.0.0.0", "::"].contains(host) }

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool {
        ListenerConfiguration.isLoopback(host)
    }
}
