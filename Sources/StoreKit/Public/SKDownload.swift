public import CStoreKit
public import Foundation
import Synchronization

/// What `SKDownload.timeRemaining` is while nobody can tell.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Content that the store keeps for a purchase, on its way to the device.
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
    /// The transaction that it came with; nil for one that an app made itself.
    let name: TransactionName?

    /// A download of nothing, for tests that override what they need.
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

    /// Where it stands.
    open var state: SKDownloadState { presented.withLock { $0.state } }

    /// Where it stands, by its older name.
    open var downloadState: SKDownloadState { state }

    /// How large the content is, in bytes.
    open var expectedContentLength: Int64 { presented.withLock { $0.expectedContentLength } }

    /// How large the content is, by its older name.
    open var contentLength: Int64 { expectedContentLength }

    /// The product whose content it is.
    open var contentIdentifier: String { presented.withLock { $0.contentIdentifier } }

    /// Where the content is; set when the download is finished, until its transaction is.
    open var contentURL: URL? { presented.withLock { $0.contentURL } }

    /// The version of the content.
    open var contentVersion: String { presented.withLock { $0.contentVersion } }

    /// Why it failed; set in that state only, and always an `SKError`.
    open var error: (any Error)? { presented.withLock { $0.failure?.error } }

    /// How much of it has come, from 0 to 1.
    open var progress: Float { presented.withLock { $0.progress } }

    /// How many seconds it will take, or `SKDownloadTimeRemainingUnknown`.
    open var timeRemaining: TimeInterval { presented.withLock { $0.timeRemaining } }

    /// The purchase that it belongs to; an empty one when nobody holds that any more.
    open var transaction: SKPaymentTransaction { storedTransaction ?? SKPaymentTransaction() }

    /// Whether it is shown as finished, whatever a subclass says.
    var isShownFinished: Bool { presented.withLock { $0.state == .finished } }

    func change(to presented: PresentedDownload) {
        self.presented.withLock { $0 = presented }
    }
}
