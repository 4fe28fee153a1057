public import CStoreKit
public import Foundation
import Synchronization

/// One payment on its way through the queue.
///
/// The same object represents it from `purchasing` to the end; it changes on the main thread, just
/// before observers are called.
///
/// ```swift
/// func line(for transaction: SKPaymentTransaction) -> String {
///     let product = transaction.payment.productIdentifier
///     switch transaction.transactionState {
///     case .purchased: return "\(product) is number \(transaction.transactionIdentifier ?? "")"
///     case .restored: return "\(product) was \(transaction.original?.transactionIdentifier ?? "")"
///     case .failed: return "\(product): \(transaction.error?.localizedDescription ?? "")"
///     default: return "\(product) is not decided yet"
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpaymenttransaction>
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    /// The queue item that it shows; nil for one created by the app.
    let key: QueueKey?
    private let storedPayment: SKPayment
    private let presented: Mutex<PresentedState>
    /// The value of `original` once requested: the same object each time.
    private let originalBox = Mutex<SKPaymentTransaction?>(nil)
    private let storedDownloads = Mutex<[SKDownload]>([])

    /// An empty transaction, for tests that override what they need.
    public override init() {
        key = nil
        storedPayment = SKPayment()
        presented = Mutex(.purchasing)
    }

    init(key: QueueKey, payment: PaymentContents, presented: PresentedState) {
        self.key = key
        storedPayment = SKPayment(contents: payment)
        self.presented = Mutex(presented)
    }

    private init(_ original: PresentedState.Original) {
        key = nil
        storedPayment = SKPayment(contents: original.payment)
        presented = Mutex(.purchased(original.purchase))
    }

    /// The payment it came from.
    open var payment: SKPayment { storedPayment }

    /// Its current state.
    open var transactionState: SKPaymentTransactionState {
        presented.withLock { $0.state }
    }

    /// Why it failed; set in that state only, and always an `SKError`.
    open var error: (any Error)? {
        guard case .failed(let reason) = presented.withLock({ $0 }) else { return nil }
        return reason.error
    }

    /// The store's number for it; set when it is purchased or restored.
    open var transactionIdentifier: String? {
        presented.withLock { $0.purchase?.transactionIdentifier }
    }

    /// When it was bought or restored; set when it is purchased or restored.
    open var transactionDate: Date? {
        presented.withLock { $0.purchase?.date }
    }

    /// The receipt of this purchase alone, as an old-style property list in text form; set when it
    /// is purchased or restored, and nil when the store provides none.
    ///
    /// When more than 500 transactions arrived at once, such as at a launch after a long time,
    /// reading this asks the store: that takes a moment, and gives nil when the store does not
    /// answer.
    ///
    /// Deprecated by Apple since iOS 7, in favour of the receipt at
    /// `Bundle.main.appStoreReceiptURL`.
    open var transactionReceipt: Data? {
        guard let purchase = presented.withLock({ $0.purchase }) else { return nil }
        return purchase.receipt?.bytes(of: purchase.transactionIdentifier)
    }

    /// The purchase behind a restored transaction; nil in every other state.
    ///
    /// It has the state, payment, number and date of the purchase, and no receipt of its own. It is
    /// not in the queue and need not be finished.
    open var original: SKPaymentTransaction? {
        guard let original = presented.withLock({ $0.original }) else { return nil }
        return originalBox.withLock { known in
            let transaction = known ?? SKPaymentTransaction(original)
            known = transaction
            return transaction
        }
    }

    /// The content that the store keeps for a purchase, until the transaction is finished; empty
    /// when there is none.
    open var downloads: [SKDownload] { storedDownloads.withLock { $0 } }

    func change(to presented: PresentedState) {
        self.presented.withLock { $0 = presented }
    }

    /// Shows the content that comes with it, as the same object throughout.
    func offer(_ name: TransactionName, _ presented: PresentedDownload) {
        storedDownloads.withLock { downloads in
            if let known = downloads.first { return known.change(to: presented) }
            downloads = [SKDownload(transaction: self, name: name, presented: presented)]
        }
    }

    /// Changes the content that comes with it; nil when there is none. With `isGone` this is the
    /// last change, and the transaction no longer has content.
    func changeDownload(to presented: PresentedDownload, isGone: Bool) -> SKDownload? {
        storedDownloads.withLock { downloads in
            defer { if isGone { downloads = [] } }
            let download = downloads.first
            download?.change(to: presented)
            return download
        }
    }
}
