import StoreKit

// begin
final class Deliverer: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                unlock(transaction.payment.productIdentifier)
                queue.finishTransaction(transaction)
            case .failed: queue.finishTransaction(transaction)
            default: continue
            }
        }
    }
}
// end

extension Deliverer {
    private func unlock(_ product: String) {
        print("\(product) is yours")
    }
}
