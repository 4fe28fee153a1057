import StoreKit

// begin
func buyTurbo(observedBy observer: any SKPaymentTransactionObserver) {
    SKPaymentQueue.default().add(observer)
    let payment = SKMutablePayment()
    payment.productIdentifier = "com.example.rocketcar.turbo"
    SKPaymentQueue.default().add(payment)
}
// end
