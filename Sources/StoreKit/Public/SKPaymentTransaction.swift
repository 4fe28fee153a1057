public import CStoreKit
public import Foundation
import Synchronization

/// One payment on its way through the queue.
///
/// The same object stands for it from `purchasing` to the end; it changes on the main thread,
/// just before observers are told.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    /// Which item of the queue it shows; nil for one that an app made itself.
    let key: QueueKey?
    private let storedPayment: SKPayment
    private let face: Mutex<TransactionFace>

    /// A transaction of nothing, for tests that override what they need.
    public override init() {
        key = nil
        storedPayment = SKPayment()
        face = Mutex(.purchasing)
    }

    init(key: QueueKey, payment: PaymentContents, face: TransactionFace) {
        self.key = key
        storedPayment = SKPayment(contents: payment)
        self.face = Mutex(face)
    }

    /// The payment it came from.
    open var payment: SKPayment { storedPayment }

    /// Where it stands.
    open var transactionState: SKPaymentTransactionState {
        face.withLock { $0.state }
    }

    /// Why it failed; set in that state only, and always an `SKError`.
    open var error: (any Error)? {
        guard case .failed(let reason) = face.withLock({ $0 }) else { return nil }
        return reason.error
    }

    /// The store's number of it; set when it is purchased.
    open var transactionIdentifier: String? {
        face.withLock { $0.purchase?.transactionIdentifier }
    }

    /// When it was bought; set when it is purchased.
    open var transactionDate: Date? {
        face.withLock { $0.purchase?.date }
    }

    /// The receipt of this purchase alone, as text in an old form of property lists; set when it
    /// is purchased, and nil when the store gives none.
    ///
    /// Deprecated by Apple since iOS 7, for the receipt at `Bundle.main.appStoreReceiptURL`.
    open var transactionReceipt: Data? {
        face.withLock { $0.purchase?.receipt }
    }

    /// The purchase that a restored transaction gives back; nil in every other state.
    open var original: SKPaymentTransaction? { nil }

    func change(to face: TransactionFace) {
        self.face.withLock { $0 = face }
    }
}
