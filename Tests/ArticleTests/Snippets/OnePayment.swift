import StoreKit

// begin
func buyOne(_ product: SKProduct) {
    SKPaymentQueue.default().add(SKPayment(product: product))
}
// end
