import Foundation
import StoreKit

/// Hears of every transaction from the start of the app on, delivers what was bought, and
/// finishes a transaction only after that.
final class StoreObserver: NSObject, SKPaymentTransactionObserver {
    /// Who plays; nil when nobody is named, who takes what was bought for anybody.
    private let player: String?
    /// Where the product goes; `done` says whether it is delivered and may be finished.
    private let deliver: (SKPaymentTransaction, _ done: @escaping (Bool) -> Void) -> Void
    private(set) var lastNews = Date()
    private(set) var open = 0
    /// Payments of this run that have ended, well or not.
    private(set) var ended = 0
    private(set) var hadTrouble = false
    private var begun: Set<ObjectIdentifier> = []

    init(
        player: String?,
        deliver: @escaping (SKPaymentTransaction, @escaping (Bool) -> Void) -> Void
    ) {
        self.player = player
        self.deliver = deliver
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchasing:
                begun.insert(ObjectIdentifier(transaction))
                Say.event("purchasing", product)
            case .deferred:
                Say.event("deferred", product)
            case .purchased, .restored:
                Say.event("purchased", product, transaction.transactionIdentifier ?? "-")
                if isOurs(transaction) {
                    complete(transaction, in: queue)
                } else {
                    leave(transaction)
                }
            case .failed:
                fail(transaction, in: queue)
            @unknown default:
                Say.event("unknown", product, "\(transaction.transactionState.rawValue)")
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            guard let identifier = transaction.transactionIdentifier else { continue }
            Say.event("finished", transaction.payment.productIdentifier, identifier)
            if begun.remove(ObjectIdentifier(transaction)) != nil { ended += 1 }
        }
    }

    /// Whether it was bought for this player, or for nobody by name.
    private func isOurs(_ transaction: SKPaymentTransaction) -> Bool {
        guard let player, let buyer = transaction.payment.applicationUsername else { return true }
        return buyer == player
    }

    /// Leaves a purchase of another player unfinished: it waits for them.
    private func leave(_ transaction: SKPaymentTransaction) {
        Say.event(
            "left", transaction.payment.productIdentifier,
            transaction.transactionIdentifier ?? "-", "belongs to another player")
        if begun.remove(ObjectIdentifier(transaction)) != nil { ended += 1 }
    }

    private func complete(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        open += 1
        deliver(transaction) { [self] isDelivered in
            lastNews = Date()
            open -= 1
            if isDelivered {
                queue.finishTransaction(transaction)
            } else {
                hadTrouble = true
                if begun.remove(ObjectIdentifier(transaction)) != nil { ended += 1 }
            }
        }
    }

    private func fail(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        let product = transaction.payment.productIdentifier
        if let error = transaction.error as? SKError, error.code == .paymentCancelled {
            Say.event("cancelled", product)
        } else {
            Say.event("failed", product, transaction.error?.localizedDescription ?? "")
        }
        hadTrouble = true
        if begun.remove(ObjectIdentifier(transaction)) != nil { ended += 1 }
        queue.finishTransaction(transaction)
    }
}
