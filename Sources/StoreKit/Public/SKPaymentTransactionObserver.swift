public import Foundation

/// Hears of every change in the payment queue, on the main thread.
///
/// An app adds one at launch, before anything else. All methods but the first are optional.
///
/// ```swift
/// final class Deliverer: NSObject, SKPaymentTransactionObserver {
///     func paymentQueue(
///         _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
///     ) {
///         for transaction in transactions {
///             switch transaction.transactionState {
///             case .purchased, .restored:
///                 unlock(transaction.payment.productIdentifier)
///                 queue.finishTransaction(transaction)
///             case .failed: queue.finishTransaction(transaction)
///             default: continue
///             }
///         }
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpaymenttransactionobserver>
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// These transactions are new or changed.
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])

    /// These transactions were finished and left the queue.
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])

    /// Restoring failed; what was restored before that was told in `updatedTransactions`.
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)

    /// Restoring ended; what was restored was told in `updatedTransactions`.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)

    /// These downloads have moved on.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])

    /// Whether to go on with a purchase that began on the store's page of the app; false unless it
    /// says otherwise. The app may add the payment later.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool

    /// The account buys in another storefront now; ask for the products again.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)

    /// The account does not own these products any more; the receipt says so already.
    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    /// Does nothing.
    public func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {}

    /// Does nothing.
    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}

    /// Does nothing.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}

    /// Does nothing.
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}

    /// False.
    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { false }

    /// Does nothing.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}

    /// Does nothing.
    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}
