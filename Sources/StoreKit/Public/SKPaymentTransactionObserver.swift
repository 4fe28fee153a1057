public import Foundation

/// Receives every change of the payment queue, on the main thread.
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

    /// Restoring failed; anything restored before that arrived in `updatedTransactions`.
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)

    /// Restoring ended; everything restored arrived in `updatedTransactions`.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)

    /// These downloads have changed.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])

    /// Whether to continue with a purchase that began on the app's store page; false by default.
    /// The app may add the payment later.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool

    /// The account now buys in another storefront; request the products again.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)

    /// The account no longer owns these products; the receipt already shows it.
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
