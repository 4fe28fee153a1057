// begin
import StoreKit

final class PurchaseObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: showProgress(transaction)
            case .deferred: showWaiting(transaction)
            case .purchased, .restored:
                guard deliver(transaction) else { continue }
                queue.finishTransaction(transaction)
            case .failed:
                showFailure(transaction.error)
                queue.finishTransaction(transaction)
            @unknown default: continue
            }
        }
    }

    private func showFailure(_ error: (any Error)?) {
        if let error = error as? SKError, error.code == .paymentCancelled { return }
        print(error?.localizedDescription ?? "The purchase failed.")
    }
}
// end

extension PurchaseObserver {
    private func showProgress(_ transaction: SKPaymentTransaction) {
        print("paying for \(transaction.payment.productIdentifier)")
    }

    private func showWaiting(_ transaction: SKPaymentTransaction) {
        print("\(transaction.payment.productIdentifier) waits for approval")
    }

    private func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        transaction.transactionIdentifier != nil
    }
}
