public import Foundation

/// A request to buy a quantity of one product.
///
/// ```swift
/// func buyOne(_ product: SKProduct) {
///     SKPaymentQueue.default().add(SKPayment(product: product))
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpayment>
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    var contents: PaymentContents
    /// A discount is immutable, so it is shared where Apple copies.
    var storedDiscount: SKPaymentDiscount?

    /// An empty payment, for tests that override what they need.
    public override init() {
        contents = PaymentContents()
    }

    init(contents: PaymentContents, discount: SKPaymentDiscount? = nil) {
        self.contents = contents
        storedDiscount = discount ?? contents.discount.map { SKPaymentDiscount($0) }
    }

    /// A payment for one unit of a product.
    public convenience init(product: SKProduct) {
        self.init(contents: PaymentContents(productIdentifier: product.productIdentifier))
    }

    /// The product to buy.
    open var productIdentifier: String { contents.productIdentifier }

    /// The quantity; 1 by default.
    open var quantity: Int { contents.quantity }

    /// Reserved by Apple.
    open var requestData: Data? { contents.requestData }

    /// The app's own identifier for the buyer; preferably a UUID.
    open var applicationUsername: String? { contents.applicationUsername }

    /// Whether the sandbox simulates that another person must approve.
    open var simulatesAskToBuyInSandbox: Bool { contents.simulatesAskToBuyInSandbox }

    /// The promotional offer that the payment uses.
    open var paymentDiscount: SKPaymentDiscount? { storedDiscount }

    /// An immutable payment with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(contents: PaymentContents(self), discount: paymentDiscount)
    }

    /// A separate mutable payment with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(contents: PaymentContents(self), discount: paymentDiscount)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { PaymentContents($0) == PaymentContents(self) } ?? false
    }

    open override var hash: Int { PaymentContents(self).hashValue }
}
