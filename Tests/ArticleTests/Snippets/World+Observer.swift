import BodegaTesting
import StoreKit

// begin
final class ClubObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    let (periods, news) = AsyncStream.makeStream(of: SKPaymentTransaction.self)

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.finishTransaction(transaction)
            news.yield(transaction)
        }
    }

    func join() {
        SKPaymentQueue.default().add(self)
        let payment = SKMutablePayment()
        payment.productIdentifier = "com.example.rocketcar.club"
        SKPaymentQueue.default().add(payment)
    }
}
// end
