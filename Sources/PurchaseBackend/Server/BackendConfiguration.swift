import Foundation
import StoreHTTP

/// The settings of a backend.
package struct BackendConfiguration: Hashable, Sendable {
    package var dataDirectory: String
    /// An address of this machine, as numbers.
    package var host = "127.0.0.1"
    /// 0 picks a free one.
    package var port: UInt16 = 8_081
    /// Whether it may listen beyond this machine without TLS; passwords would be sent in the clear.
    package var allowsPlainHTTP = false
    /// Hosts under which `/operator` and `/console` answer, beside loopback and `host`.
    package var allowedHosts: [String] = []
    /// Where the console's files are read from, instead of those in the program.
    package var consoleFolder: String?
    /// The store's address for real purchases, with or without `/verifyReceipt` at its end.
    package var productionURL: String
    /// The store's address for test purchases.
    package var sandboxURL: String
    /// Whether purchases made in the sandbox are granted too.
    package var allowsSandbox = false
    /// PEM authorities to trust instead of the system's.
    package var certificateAuthorityFile: String?
    package var productListFile: String
    /// The app's shared secret, for receipts with auto-renewable subscriptions; needed when the
    /// product list has any.
    package var sharedSecret: SharedSecret?
    /// The app's key for promotional offers, PKCS#8 in PEM, and its identifier at the store; both
    /// or neither.
    package var offerKeyFile: String?
    package var offerKeyID: String?
    package var refundedConsumables = RefundedConsumables.belowZero
    package var timings = BackendTimings()

    package init(
        dataDirectory: String, productionURL: String, sandboxURL: String, productListFile: String
    ) {
        self.dataDirectory = dataDirectory
        self.productionURL = productionURL
        self.sandboxURL = sandboxURL
        self.productListFile = productListFile
    }

    /// Whether only programs of this machine can connect.
    package var isLoopback: Bool {
        ListenerConfiguration.isLoopback(host)
    }

    /// The address that verifies receipts of an environment: `/verifyReceipt` is added unless the
    /// configured address ends in it.
    package static func verifyReceiptURL(_ base: String) throws(BackendError) -> String {
        guard let parts = URLComponents(string: base), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", parts.host?.isEmpty == false
        else {
            throw BackendError(
                .badConfiguration,
                "\"\(base)\" is not an address of a store: give one such as "
                    + "http://127.0.0.1:8080/production")
        }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil else {
            throw BackendError(
                .badConfiguration,
                "the store's address \"\(base)\" has a query, a fragment or a user in it: "
                    + "leave it out")
        }
        var trimmed = base
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        return trimmed.hasSuffix("/verifyReceipt") ? trimmed : trimmed + "/verifyReceipt"
    }
}
