import Foundation

/// What a payment asks for: the values behind `SKPayment`.
struct PaymentContents: Hashable, Sendable {
    var productIdentifier = ""
    var quantity = 1
    var requestData: Data?
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
    var discount: PaymentDiscountContents?
}

/// The values behind `SKPaymentDiscount`.
struct PaymentDiscountContents: Codable, Hashable, Sendable {
    let identifier: String
    let keyIdentifier: String
    let nonce: UUID
    let signature: String
    let timestampMilliseconds: Int64
}

extension PaymentContents {
    /// What a payment says now, also one of a class that an app made itself.
    init(_ payment: SKPayment) {
        productIdentifier = payment.productIdentifier
        quantity = payment.quantity
        requestData = payment.requestData
        applicationUsername = payment.applicationUsername
        simulatesAskToBuyInSandbox = payment.simulatesAskToBuyInSandbox
        discount = payment.paymentDiscount.map {
            PaymentDiscountContents(
                identifier: $0.identifier, keyIdentifier: $0.keyIdentifier, nonce: $0.nonce,
                signature: $0.signature, timestampMilliseconds: $0.timestamp.int64Value)
        }
    }
}
