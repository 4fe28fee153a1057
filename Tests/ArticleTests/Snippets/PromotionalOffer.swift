import StoreKit

/// What the app's server answers.
struct SignedOffer: Decodable {
    let offerId: String
    let keyIdentifier: String
    let nonce: UUID
    let signature: String
    let timestamp: Int64
    let applicationUsername: String
}

// begin
func subscribe(to product: SKProduct, with offer: SignedOffer) {
    let payment = SKMutablePayment(product: product)
    payment.applicationUsername = offer.applicationUsername
    payment.paymentDiscount = SKPaymentDiscount(
        identifier: offer.offerId, keyIdentifier: offer.keyIdentifier, nonce: offer.nonce,
        signature: offer.signature, timestamp: NSNumber(value: offer.timestamp))
    SKPaymentQueue.default().add(payment)
}
// end
