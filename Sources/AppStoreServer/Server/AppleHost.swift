package import StoreModel
import StoreService

/// Apple's host names, which the libraries of apps' servers have built in.
package enum AppleHost: String, CaseIterable, Sendable {
    case api = "api.storekit.apple.com"
    case sandboxAPI = "api.storekit-sandbox.apple.com"
    case olderAPI = "api.storekit.itunes.apple.com"
    case olderSandboxAPI = "api.storekit-sandbox.itunes.apple.com"
    case receipts = "buy.itunes.apple.com"
    case sandboxReceipts = "sandbox.itunes.apple.com"
    /// Where Apple answers whether certificates were revoked, in both environments.
    case certificates = "ocsp.apple.com"

    /// Nil where Apple has one host for both.
    package var environment: StoreEnvironment? {
        switch self {
        case .api, .olderAPI, .receipts: .production
        case .sandboxAPI, .olderSandboxAPI, .sandboxReceipts: .sandbox
        case .certificates: nil
        }
    }
}

extension HostPlaces {
    /// Each of Apple's names leads to its environment of the default world.
    package static let apple = HostPlaces(
        Dictionary(
            uniqueKeysWithValues: AppleHost.allCases.compactMap { host in
                host.environment.map { (RequestHost(host.rawValue), [$0.rawValue]) }
            }))
}
