import Foundation
import StoreKit

/// An observer for the screen: it says that the queue has changed, and delivers nothing.
final class QueueWatch: NSObject, SKPaymentTransactionObserver {
    private let changed: ([SKPaymentTransaction]) -> Void

    /// `changed` gets the transactions that did, none when it is only their downloads.
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
