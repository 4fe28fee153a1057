public import Foundation

/// A payment whose values can be set. Adding it to the queue copies it.
///
/// Do not share it between threads while it is being changed.
///
/// ```swift
/// func buy(_ product: SKProduct, quantity: Int, as player: UUID) {
///     guard SKPaymentQueue.canMakePayments() else {
///         return print("Purchases are switched off on this device.")
///     }
///     let payment = SKMutablePayment(product: product)
///     payment.quantity = quantity
///     payment.applicationUsername = player.uuidString
///     SKPaymentQueue.default().add(payment)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skmutablepayment>
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// The product to buy.
    open override var productIdentifier: String {
        get { contents.productIdentifier }
        set { contents.productIdentifier = newValue }
    }

    /// The quantity, from 1 to 10.
    open override var quantity: Int {
        get { contents.quantity }
        set { contents.quantity = newValue }
    }

    /// Reserved by Apple.
    open override var requestData: Data? {
        get { contents.requestData }
        set { contents.requestData = newValue }
    }

    /// The app's own identifier for the buyer; preferably a UUID.
    open override var applicationUsername: String? {
        get { contents.applicationUsername }
        set { contents.applicationUsername = newValue }
    }

    /// Whether the sandbox simulates that another person must approve.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { contents.simulatesAskToBuyInSandbox }
        set { contents.simulatesAskToBuyInSandbox = newValue }
    }

    /// The promotional offer that the payment uses.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { storedDiscount }
        set { storedDiscount = newValue }
    }
}
