import Foundation

/// What a payment asks for: the values behind `SKPayment`.
struct PaymentContents: Hashable, Sendable {
    var productIdentifier = ""
    var quantity = 1
    var requestData: Data?
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
}
