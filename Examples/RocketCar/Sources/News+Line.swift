import Foundation

extension News {
    /// The line for scripts.
    var line: String {
        words.joined(separator: " ")
    }

    private var words: [String] {
        switch self {
        case .purchasing(let product): ["purchasing", product]
        case .deferred(let product): ["deferred", product]
        case .purchased(let product, let transaction): ["purchased", product, transaction]
        case .restored(let product, let transaction, let original):
            ["restored", product, transaction, original]
        case .cancelled(let product): ["cancelled", product]
        case .failed(let product, let message): ["failed", product, message]
        case .finished(let product, let transaction): ["finished", product, transaction]
        case .unknown(let product, let state): ["unknown", product, "\(state)"]
        case .left(let product, let transaction):
            ["left", product, transaction, "belongs to another player"]
        case .downloading(let product, let transaction): ["downloading", product, transaction]
        case .largeDownload(let product, let transaction, let bytes):
            ["large-download", product, transaction, "\(bytes)"]
        case .downloaded(let product, let transaction): ["downloaded", product, transaction]
        case .downloadFailed(let product, let message): ["download-failed", product, message]
        case .downloadCancelled(let product): ["download-cancelled", product]
        case .delivered(let product, let transaction, let name):
            ["delivered", product, transaction, name]
        case .unlocked(let turbo): ["unlocked", Garage.turbo, turbo.rawValue]
        case .fuel(let litres, let isNew): ["fuel", "\(litres)", isNew ? "filled" : "known"]
        case .drained(let litres): ["fuel", "\(litres)", "drained"]
        case .kept(let product, let transaction, let reason):
            ["kept", product, transaction, reason]
        case .waiting(let product, let transaction, let reason):
            ["waiting", product, transaction, reason]
        case .refused(let product, let transaction, let reason, let message):
            ["refused", product, transaction, reason, message]
        case .subscription(let product, let state, let until):
            ["subscription", product, state, "until", until.ISO8601Format()]
        case .chosen(let product, let from): ["chosen", product, "from", from.ISO8601Format()]
        case .ended(let product): ["ended", product]
        case .restoreFinished: ["restore-finished"]
        case .restoreCancelled: ["restore-cancelled"]
        case .restoreFailed(let message): ["restore-failed", message]
        case .revoked(let products): ["revoked"] + products
        case .takenBack(let product): ["taken-back", product]
        case .storefrontChanged: ["storefront-changed"]
        case .trouble(let sentence): ["trouble", sentence]
        }
    }
}
