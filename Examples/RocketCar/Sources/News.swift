import Foundation

/// An event of this app's purchases, for the lines that scripts read and for the player's screen.
/// Products and transactions appear by their identifiers.
enum News: Equatable {
    case purchasing(product: String)
    case deferred(product: String)
    case purchased(product: String, transaction: String)
    case restored(product: String, transaction: String, original: String)
    case cancelled(product: String)
    case failed(product: String, message: String)
    case finished(product: String, transaction: String)
    /// A state unknown to this version of the app.
    case unknown(product: String, state: Int)

    /// It belongs to another player and waits for them.
    case left(product: String, transaction: String)
    case downloading(product: String, transaction: String)
    /// It is large, and begins at the player's request.
    case largeDownload(product: String, transaction: String, bytes: Int64)
    case downloaded(product: String, transaction: String)
    case downloadFailed(product: String, message: String)
    case downloadCancelled(product: String)
    case delivered(product: String, transaction: String, name: String)
    case unlocked(Turbo)
    /// The tank's new content; `isNew` is false when this purchase was counted before.
    case fuel(litres: Int, isNew: Bool)
    /// The tank's new content after a refund.
    case drained(litres: Int)
    /// It is paid for and cannot be delivered now; it will be retried.
    case kept(product: String, transaction: String, reason: String)
    /// It is paid for and something is missing on this side.
    case waiting(product: String, transaction: String, reason: String)
    case refused(product: String, transaction: String, reason: String, message: String)

    /// The state of a subscription at the backend.
    case subscription(product: String, state: String, until: Date)
    /// A subscription renews as this product from the end of its current period.
    case chosen(product: String, from: Date)
    /// A subscription has ended, and its content is gone.
    case ended(product: String)

    case restoreFinished
    case restoreCancelled
    case restoreFailed(message: String)
    /// The account no longer owns these.
    case revoked(products: [String])
    /// What the app gave for it is locked or removed.
    case takenBack(product: String)
    case storefrontChanged
    case trouble(String)
}
