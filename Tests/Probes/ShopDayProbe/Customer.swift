import Foundation
import StoreKit

/// Buys and restores as ordered, delivers and finishes whatever its observer hears of, and knows
/// when nothing is left to do.
final class Customer: NSObject, SKPaymentTransactionObserver {
    /// A purchase that waits to be delivered.
    private struct Held {
        let due: Date
        let transaction: SKPaymentTransaction
    }

    private let queue = SKPaymentQueue.default()
    private var orders: [Order]
    private let atOnceMax: Int
    private let holdSeconds: Double
    /// Names of payments whose end was not told yet.
    private var open: Set<String> = []
    private var isRestoring = false
    private var held: [Held] = []
    private var lastNews = Date()

    init(orders: [Order], atOnceMax: Int, holdSeconds: Double) {
        self.orders = orders
        self.atOnceMax = atOnceMax
        self.holdSeconds = holdSeconds
    }

    /// Runs until nothing is left; false when that takes too long.
    func run(settleSeconds: Double, secondsMax: Double) -> Bool {
        Say.line("started")
        queue.add(self)
        let end = Date(timeIntervalSinceNow: secondsMax)
        while Date() < end {
            beginOrders()
            deliverDue()
            if isIdle, Date().timeIntervalSince(lastNews) > settleSeconds {
                Say.line("ended")
                return true
            }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        }
        let states = queue.transactions.map { "\($0.transactionState.rawValue)" }
        Say.line("stuck", "orders \(orders.count) open \(open.count) queue \(states)")
        return false
    }

    /// What is deferred waits for somebody else, and so does not count.
    private var isIdle: Bool {
        orders.isEmpty && open.isEmpty && held.isEmpty && !isRestoring
            && queue.transactions.allSatisfy { $0.transactionState == .deferred }
    }

    private func beginOrders() {
        while open.count < atOnceMax, !isRestoring, !orders.isEmpty {
            switch orders.removeFirst() {
            case .restore:
                isRestoring = true
                Say.line("restoring")
                queue.restoreCompletedTransactions()
            case .buy(let product, let quantity, let name):
                let payment = SKMutablePayment()
                payment.productIdentifier = product
                payment.quantity = quantity
                payment.applicationUsername = name
                open.insert(name)
                Say.line("asked", product, name, "\(quantity)")
                queue.add(payment)
            }
            lastNews = Date()
        }
    }

    private func deliverDue() {
        let now = Date()
        let due = held.filter { $0.due <= now }
        held.removeAll { $0.due <= now }
        for each in due {
            Say.line(
                "delivered", each.transaction.payment.productIdentifier,
                each.transaction.transactionIdentifier ?? "-")
            queue.finishTransaction(each.transaction)
        }
    }

    // MARK: - The observer

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            let number = transaction.transactionIdentifier ?? "-"
            let name = transaction.payment.applicationUsername ?? "-"
            switch transaction.transactionState {
            case .purchasing: Say.line("purchasing", product, name)
            case .deferred: end("deferred", product, name)
            case .purchased:
                open.remove(name)
                Say.line("purchased", product, number, name)
                Say.line("receipt", product, number, Self.receiptHolds(number) ? "holds" : "lacks")
                hold(transaction)
            case .restored:
                Say.line(
                    "restored", product, number, transaction.original?.transactionIdentifier ?? "-")
                hold(transaction)
            case .failed:
                end("failed", product, name)
                queue.finishTransaction(transaction)
            @unknown default:
                Say.line("unknown", product, "\(transaction.transactionState.rawValue)")
            }
        }
    }

    /// Whether the receipt names a transaction; its payload is neither packed nor encrypted.
    private static func receiptHolds(_ number: String) -> Bool {
        guard let place = Bundle.main.appStoreReceiptURL,
            let receipt = try? Data(contentsOf: place)
        else { return false }
        return receipt.range(of: Data(number.utf8)) != nil
    }

    private func end(_ event: String, _ product: String, _ name: String) {
        open.remove(name)
        Say.line(event, product, name)
    }

    private func hold(_ transaction: SKPaymentTransaction) {
        held.append(
            Held(due: Date(timeIntervalSinceNow: holdSeconds), transaction: transaction))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        lastNews = Date()
        for transaction in transactions {
            // What another device finished needs no delivery here.
            held.removeAll { $0.transaction === transaction }
            guard let number = transaction.transactionIdentifier else { continue }
            Say.line("finished", transaction.payment.productIdentifier, number)
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        lastNews = Date()
        isRestoring = false
        Say.line("restore-finished")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        lastNews = Date()
        isRestoring = false
        Say.line("restore-failed")
    }
}
