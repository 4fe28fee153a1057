import StoreKit

/// The observer of Apple's guide: one for the app's whole life, added at launch.
public class PurchaseObserver: NSObject, SKPaymentTransactionObserver {
    public static let shared = PurchaseObserver()

    public var onDelivery: ((SKPaymentTransaction) -> Bool)?
    public var onFailure: ((SKPaymentTransaction, Error?) -> Void)?
    public var onWaiting: ((SKPaymentTransaction) -> Void)?
    public private(set) var restoredIdentifiers = [String]()
    public private(set) var restoreError: Error?
    public private(set) var isRestoreFinished = false
    public private(set) var postponedPayments = [SKPayment]()
    public private(set) var revokedIdentifiers: Set<String> = []
    public private(set) var storefrontChanges = 0
    public private(set) var removedCount = 0

    public var isAuthorizedForPayments: Bool {
        return SKPaymentQueue.canMakePayments()
    }

    public func buy(
        _ product: SKProduct, quantity: Int = 1, in queue: SKPaymentQueue = .default()
    ) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        queue.add(payment)
    }

    public func restore(in queue: SKPaymentQueue = .default()) {
        restoredIdentifiers.removeAll()
        isRestoreFinished = false
        queue.restoreCompletedTransactions()
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: break
            case .deferred: onWaiting?(transaction)
            case .purchased: complete(transaction, in: queue)
            case .failed: fail(transaction, in: queue)
            case .restored: giveBack(transaction, in: queue)
            @unknown default: print("unexpected state \(transaction.transactionState.rawValue)")
            }
        }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        removedCount += transactions.count
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
    ) {
        if let error = error as? SKError, error.code == .paymentCancelled { return }
        restoreError = error
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        isRestoreFinished = true
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        if onDelivery != nil { return true }
        postponedPayments.append(payment)
        return false
    }

    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        storefrontChanges += 1
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        revokedIdentifiers.formUnion(productIdentifiers)
    }

    private func complete(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        guard onDelivery?(transaction) ?? false else { return }
        queue.finishTransaction(transaction)
    }

    private func fail(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        if (transaction.error as? SKError)?.code != .paymentCancelled {
            onFailure?(transaction, transaction.error)
        }
        queue.finishTransaction(transaction)
    }

    private func giveBack(_ transaction: SKPaymentTransaction, in queue: SKPaymentQueue) {
        let first = transaction.original ?? transaction
        restoredIdentifiers.append(first.payment.productIdentifier)
        queue.finishTransaction(transaction)
    }
}
