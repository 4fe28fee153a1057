import Foundation
import StoreKit

/// Receives every transaction from the app's start on, delivers purchases, and finishes a
/// transaction only afterwards.
final class StoreObserver: NSObject, SKPaymentTransactionObserver {
    /// The player; nil when nobody is named, and purchases of any player are accepted.
    private let player: String?
    private let delivery: Delivery
    private let report: (News) -> Void
    private(set) var lastNews = Date()
    /// Payments of this run that have ended, well or not.
    private(set) var ended = 0
    private(set) var hadTrouble = false
    /// Whether a restore has ended, well or not.
    private(set) var hasRestored = false
    private var begun: Set<ObjectIdentifier> = []
    private var delivering: Set<ObjectIdentifier> = []
    /// Payments of this run that wait for another person's approval.
    private var deferred: Set<ObjectIdentifier> = []

    /// Revocations that are being carried out.
    private var revoking = 0

    /// The number of deliveries and revocations in progress.
    var open: Int { delivering.count + revoking }

    func isDelivering(_ transaction: SKPaymentTransaction) -> Bool {
        delivering.contains(ObjectIdentifier(transaction))
    }

    init(player: String?, delivery: Delivery, report: @escaping (News) -> Void) {
        self.player = player
        self.delivery = delivery
        self.report = report
    }

    // MARK: - Calls from the queue

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchasing:
                begun.insert(ObjectIdentifier(transaction))
                report(.purchasing(product: product))
            case .deferred:
                // Another person decides, perhaps tomorrow: nothing waits for it.
                deferred.insert(ObjectIdentifier(transaction))
                report(.deferred(product: product))
            case .purchased: purchase(transaction, in: queue)
            case .restored: restore(transaction, in: queue)
            case .failed: fail(transaction, in: queue)
            @unknown default:
                report(
                    .unknown(product: product, state: transaction.transactionState.rawValue))
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            guard let identifier = transaction.transactionIdentifier else { continue }
            report(
                .finished(
                    product: transaction.payment.productIdentifier, transaction: identifier))
            end(transaction)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        lastNews = Date()
        delivery.contents.moved(downloads)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        lastNews = Date()
        hasRestored = true
        report(.restoreFinished)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        lastNews = Date()
        hasRestored = true
        hadTrouble = true
        if let error = error as? SKError, error.code == .paymentCancelled {
            report(.restoreCancelled)
        } else {
            report(.restoreFailed(message: error.localizedDescription))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        lastNews = Date()
        report(.revoked(products: productIdentifiers))
        revoking += 1
        delivery.takeBack(productIdentifiers) { [self] in revoked() }
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        report(.storefrontChanged)
    }

    // MARK: - Revocations

    /// Completes what an earlier run may have left undone.
    func begin() {
        revoking += 1
        delivery.followReceipt { [self] in revoked() }
    }

    private func revoked() {
        lastNews = Date()
        revoking -= 1
    }

    // MARK: - Deliveries

    /// Tries again to deliver paid, unfinished purchases.
    func deliverAgain(_ transactions: [SKPaymentTransaction], in queue: SKPaymentQueue) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                if isOurs(transaction) { complete(transaction, in: queue) }
            default: continue
            }
        }
    }

    private func purchase(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        report(
            .purchased(
                product: transaction.payment.productIdentifier,
                transaction: transaction.transactionIdentifier ?? "-"))
        if isOurs(transaction) {
            complete(transaction, in: queue)
        } else {
            leave(transaction)
        }
    }

    /// Delivers a restored purchase again. Another player's purchase is left for them to restore.
    private func restore(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        report(
            .restored(
                product: transaction.payment.productIdentifier,
                transaction: transaction.transactionIdentifier ?? "-",
                original: transaction.original?.transactionIdentifier ?? "-"))
        if isOurs(transaction) {
            complete(transaction, in: queue)
        } else {
            leave(transaction)
            queue.finishTransaction(transaction)
        }
    }

    /// Whether it was bought for this player, or for no particular player.
    private func isOurs(_ transaction: SKPaymentTransaction) -> Bool {
        guard let player, let buyer = transaction.payment.applicationUsername else { return true }
        return buyer == player
    }

    /// Leaves another player's purchase unfinished: it waits for them.
    private func leave(_ transaction: SKPaymentTransaction) {
        report(
            .left(
                product: transaction.payment.productIdentifier,
                transaction: transaction.transactionIdentifier ?? "-"))
        end(transaction)
    }

    private func complete(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        guard delivering.insert(ObjectIdentifier(transaction)).inserted else { return }
        delivery.deliver(transaction) { [self] isDelivered in
            lastNews = Date()
            delivering.remove(ObjectIdentifier(transaction))
            if isDelivered {
                queue.finishTransaction(transaction)
            } else {
                hadTrouble = true
                end(transaction)
            }
        }
    }

    private func fail(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        let product = transaction.payment.productIdentifier
        let error = transaction.error as? SKError
        if error?.code == .paymentCancelled, isUpToThisPerson(transaction) {
            report(.cancelled(product: product))
        } else {
            report(
                .failed(
                    product: product, message: transaction.error?.localizedDescription ?? ""))
        }
        hadTrouble = true
        end(transaction)
        queue.finishTransaction(transaction)
    }

    /// A decline looks like a cancellation; but a customer can have cancelled only a payment begun
    /// in this run and not deferred for another person's approval.
    private func isUpToThisPerson(_ transaction: SKPaymentTransaction) -> Bool {
        begun.contains(ObjectIdentifier(transaction))
            && !deferred.contains(ObjectIdentifier(transaction))
    }

    private func end(_ transaction: SKPaymentTransaction) {
        deferred.remove(ObjectIdentifier(transaction))
        if begun.remove(ObjectIdentifier(transaction)) != nil { ended += 1 }
    }
}
