import Foundation
import StoreKit

/// An observer that only looks at the queue, for `status`.
final class QueueLook: NSObject, SKPaymentTransactionObserver {
    private(set) var lastNews = Date()

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
    }

    func show(_ queue: SKPaymentQueue) {
        for transaction in queue.transactions {
            let state =
                switch transaction.transactionState {
                case .purchased: "purchased"
                case .restored: "restored"
                case .purchasing: "purchasing"
                case .deferred: "deferred"
                case .failed: "failed"
                default: "state \(transaction.transactionState.rawValue)"
                }
            Say.event(
                "unfinished", transaction.payment.productIdentifier,
                transaction.transactionIdentifier ?? "-", state)
        }
    }
}
