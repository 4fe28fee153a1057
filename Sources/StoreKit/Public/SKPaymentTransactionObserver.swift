public import Foundation

/// Hears of every change in the payment queue, on the main thread.
///
/// An app adds one at launch, before anything else. All methods but the first are optional.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// These transactions are new or changed.
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])

    /// These transactions were finished and left the queue.
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])

    /// The account buys in another storefront now; ask for the products again.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
}

extension SKPaymentTransactionObserver {
    /// Does nothing.
    public func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {}

    /// Does nothing.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
}
