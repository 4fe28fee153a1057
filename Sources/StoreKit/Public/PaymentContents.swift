import Foundation
import StoreWire

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
    /// The current values of a payment, possibly of a subclass that the app defined.
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

extension DiscountBody {
    /// The values from the app, unchanged; the store judges them.
    init(_ discount: PaymentDiscountContents) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier,
            nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
            timestamp: discount.timestampMilliseconds)
    }
}
