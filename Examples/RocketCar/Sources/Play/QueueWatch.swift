import Foundation
import StoreKit

/// An observer for the screen: it reports that the queue has changed, and delivers nothing.
final class QueueWatch: NSObject, SKPaymentTransactionObserver {
    private let changed: ([SKPaymentTransaction]) -> Void

    /// `changed` gets the changed transactions, or none when only their downloads changed.
    init(changed: @escaping ([SKPaymentTransaction]) -> Void) {
        self.changed = changed
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        changed(transactions)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        changed(transactions)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        changed([])
    }
}
