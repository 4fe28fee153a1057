public import CStoreKit
public import Foundation
import Synchronization

/// The value of `SKDownload.timeRemaining` while it is unknown.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Content that the store keeps for a purchase, being downloaded to the device.
///
/// Deprecated by Apple since iOS 16.
///
/// ```swift
/// final class ContentObserver: NSObject, SKPaymentTransactionObserver {
///     func paymentQueue(
///         _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
///     ) {
///         for transaction in transactions where transaction.transactionState == .purchased {
///             queue.start(transaction.downloads)
///         }
///     }
///
///     func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
///         for download in downloads where download.state == .finished {
///             guard let content = download.contentURL, move(content) else { continue }
///             queue.finishTransaction(download.transaction)
///         }
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skdownload>
open class SKDownload: NSObject, @unchecked Sendable {
    private let presented: Mutex<PresentedDownload>
    /// Set once. Weak, since the transaction holds its downloads.
    private weak var storedTransaction: SKPaymentTransaction?
    /// The transaction it came with; nil for one created by the app.
    let name: TransactionName?

    /// An empty download, for tests that override what they need.
    public override init() {
        presented = Mutex(PresentedDownload())
        name = nil
    }

    init(
        transaction: SKPaymentTransaction, name: TransactionName? = nil,
        presented: PresentedDownload
    ) {
        self.presented = Mutex(presented)
        self.name = name
        storedTransaction = transaction
    }

    /// Its current state.
    open var state: SKDownloadState { presented.withLock { $0.state } }

    /// Its current state, by its older name.
    open var downloadState: SKDownloadState { state }

    /// The size of the content, in bytes.
    open var expectedContentLength: Int64 { presented.withLock { $0.expectedContentLength } }

    /// The size of the content, by its older name.
    open var contentLength: Int64 { expectedContentLength }

    /// The identifier of the product that the content belongs to.
    open var contentIdentifier: String { presented.withLock { $0.contentIdentifier } }

    /// The location of the content; set from the end of the download until the transaction is
    /// finished.
    open var contentURL: URL? { presented.withLock { $0.contentURL } }

    /// The version of the content.
    open var contentVersion: String { presented.withLock { $0.contentVersion } }

    /// Why it failed; set in that state only, and always an `SKError`.
    open var error: (any Error)? { presented.withLock { $0.failure?.error } }

    /// How much of it has arrived, from 0 to 1.
    open var progress: Float { presented.withLock { $0.progress } }

    /// The expected remaining time in seconds, or `SKDownloadTimeRemainingUnknown`.
    open var timeRemaining: TimeInterval { presented.withLock { $0.timeRemaining } }

    /// The purchase that it belongs to; an empty one when that no longer exists.
    open var transaction: SKPaymentTransaction { storedTransaction ?? SKPaymentTransaction() }

    /// Whether it is shown as finished, ignoring overrides in a subclass.
    var isShownFinished: Bool { presented.withLock { $0.state == .finished } }

    func change(to presented: PresentedDownload) {
        self.presented.withLock { $0 = presented }
    }
}
