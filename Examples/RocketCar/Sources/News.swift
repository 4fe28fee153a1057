import Foundation

/// One thing that happened to this app's purchases, for the lines that scripts read and for the
/// screen that a person sees. Products and transactions go by their identifiers.
enum News: Equatable {
    case purchasing(product: String)
    case deferred(product: String)
    case purchased(product: String, transaction: String)
    case restored(product: String, transaction: String, original: String)
    case cancelled(product: String)
    case failed(product: String, message: String)
    case finished(product: String, transaction: String)
    /// A state that this version of the app does not know.
    case unknown(product: String, state: Int)

    /// It is another player's, and waits for them.
    case left(product: String, transaction: String)
    case downloading(product: String, transaction: String)
    /// It is large, and begins when the person says so.
    case largeDownload(product: String, transaction: String, bytes: Int64)
    case downloaded(product: String, transaction: String)
    case downloadFailed(product: String, message: String)
    case downloadCancelled(product: String)
    case delivered(product: String, transaction: String, name: String)
    case unlocked(Turbo)
    /// The tank holds so much now; `isNew` is false when this purchase had filled it before.
    case fuel(litres: Int, isNew: Bool)
    /// It is paid for and cannot be delivered now; it comes again.
    case kept(product: String, transaction: String, reason: String)
    /// It is paid for and something is missing on this side.
    case waiting(product: String, transaction: String, reason: String)
    case refused(product: String, transaction: String, reason: String, message: String)

    /// How a subscription stands at the backend.
    case subscription(product: String, state: String, until: Date)
    /// A subscription is over, and what belonged to it is gone.
    case ended(product: String)

    case restoreFinished
    case restoreCancelled
    case restoreFailed(message: String)
    /// The account does not own these any more.
    case revoked(products: [String])
    case storefrontChanged
    case trouble(String)
}
