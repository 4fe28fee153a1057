public import CStoreKit
public import Foundation
import Synchronization

/// One payment on its way through the queue.
///
/// The same object stands for it from `purchasing` to the end; it changes on the main thread,
/// just before observers are told.
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
    /// Which item of the queue it shows; nil for one that an app made itself.
    let key: QueueKey?
    private let storedPayment: SKPayment
    private let presented: Mutex<PresentedState>
    /// What `original` gives, once it was asked for: the same object each time.
    private let originalBox = Mutex<SKPaymentTransaction?>(nil)
    private let storedDownloads = Mutex<[SKDownload]>([])

    /// A transaction of nothing, for tests that override what they need.
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

    /// Where it stands.
    open var transactionState: SKPaymentTransactionState {
        presented.withLock { $0.state }
    }

    /// Why it failed; set in that state only, and always an `SKError`.
    open var error: (any Error)? {
        guard case .failed(let reason) = presented.withLock({ $0 }) else { return nil }
        return reason.error
    }

    /// The store's number of it; set when it is purchased or restored.
    open var transactionIdentifier: String? {
        presented.withLock { $0.purchase?.transactionIdentifier }
    }

    /// When it was bought or given back; set when it is purchased or restored.
    open var transactionDate: Date? {
        presented.withLock { $0.purchase?.date }
    }

    /// The receipt of this purchase alone, as text in an old form of property lists; set when it
    /// is purchased or restored, and nil when the store gives none.
    ///
    /// When more than 500 transactions came at once, as at a launch after a long time, the store is
    /// asked for it now: that takes a moment, and gives nil when the store does not answer.
    ///
    /// Deprecated by Apple since iOS 7, for the receipt at `Bundle.main.appStoreReceiptURL`.
    open var transactionReceipt: Data? {
        guard let purchase = presented.withLock({ $0.purchase }) else { return nil }
        return purchase.receipt?.bytes(of: purchase.transactionIdentifier)
    }

    /// The purchase that a restored transaction gives back; nil in every other state.
    ///
    /// It has the state, payment, number and date of the purchase, and no receipt of its own. It is
    /// not in the queue and needs no finishing.
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

    /// Shows content that comes with it: the same object from the first time to the last.
    func offer(_ name: TransactionName, _ presented: PresentedDownload) {
        storedDownloads.withLock { downloads in
            if let known = downloads.first { return known.change(to: presented) }
            downloads = [SKDownload(transaction: self, name: name, presented: presented)]
        }
    }

    /// Changes the content that comes with it; nil when none does. With `isGone` it is the last
    /// change, and the transaction has no content any more.
    func changeDownload(to presented: PresentedDownload, isGone: Bool) -> SKDownload? {
        storedDownloads.withLock { downloads in
            defer { if isGone { downloads = [] } }
            let download = downloads.first
            download?.change(to: presented)
            return download
        }
    }
}
