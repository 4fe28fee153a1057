import StoreKit

// begin
final class RestoreObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .restored {
            print("yours again: \(transaction.payment.productIdentifier)")
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        print("That is all there was.")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        print("Nothing could be restored: \(error.localizedDescription)")
    }
}
// end
