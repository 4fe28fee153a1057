import StoreKit

// begin
func buy(_ product: SKProduct, quantity: Int, as player: UUID) {
    guard SKPaymentQueue.canMakePayments() else {
        return print("Purchases are switched off on this device.")
    }
    let payment = SKMutablePayment(product: product)
    payment.quantity = quantity
    payment.applicationUsername = player.uuidString
    SKPaymentQueue.default().add(payment)
}
// end
