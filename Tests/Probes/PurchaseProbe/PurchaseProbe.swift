import Foundation
import StoreKit

/// A small app for tests: buys what its arguments name, prints what its observer hears, finishes
/// every transaction, and ends when the queue has been quiet for a while.
///
/// `PurchaseProbe [--keep] [--finish-early] [--none] [--impatient] [--until=N] [PRODUCT...]`:
/// nothing is finished, everything is finished too early, nothing of the product is asked for, or
/// the app ends by itself while a payment is open, or as soon as it heard of so many purchases.
@main final class PurchaseProbe: NSObject, SKPaymentTransactionObserver {
    private static let ticksMax = 1_200
    private var quietTicks = 0
    private var purchaseCount = 0
    private let keeps: Bool
    private let finishesEarly: Bool
    private let isImpatient: Bool

    init(keeps: Bool, finishesEarly: Bool, isImpatient: Bool) {
        self.keeps = keeps
        self.finishesEarly = finishesEarly
        self.isImpatient = isImpatient
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let probe = PurchaseProbe(
            keeps: arguments.contains("--keep"),
            finishesEarly: arguments.contains("--finish-early"),
            isImpatient: arguments.contains("--impatient"))
        SKPaymentQueue.default().add(probe)
        for product in arguments where !product.hasPrefix("--") {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            if arguments.contains("--none") { payment.quantity = 0 }
            SKPaymentQueue.default().add(payment)
        }
        let wanted = arguments.compactMap {
            $0.hasPrefix("--until=") ? Int($0.dropFirst("--until=".count)) : nil
        }.first
        var ticks = 0
        while wanted.map({ probe.purchaseCount < $0 && ticks < ticksMax })
            ?? (probe.quietTicks < 20)
        {
            ticks += 1
            probe.quietTicks += 1
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
        SKPaymentQueue.default().remove(probe)
    }

    /// A line at once, so that a kill loses none.
    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchasing:
                say("purchasing \(product)")
                quietTicks = isImpatient ? -20 : -200
                if finishesEarly { queue.finishTransaction(transaction) }
                continue
            case .purchased:
                purchaseCount += 1
                let receipt = Bundle.main.appStoreReceiptURL
                    .flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                say("purchased \(product) \(transaction.transactionIdentifier ?? "nil")")
                say("receipt \(receipt ?? "nil")")
                let own = transaction.transactionReceipt?.base64EncodedString()
                say("transaction-receipt \(own ?? "nil")")
            case .failed:
                say("failed \(product) \(transaction.error?.localizedDescription ?? "nil")")
            case .deferred, .restored: say("other \(product)")
            @unknown default: say("unknown \(product)")
            }
            quietTicks = 0
            if !keeps { queue.finishTransaction(transaction) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
    ) {
        quietTicks = 0
        for transaction in transactions {
            say("removed \(transaction.payment.productIdentifier)")
        }
    }
}
