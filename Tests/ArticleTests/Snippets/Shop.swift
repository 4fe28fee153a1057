import StoreKit

// begin
final class Shop {
    private let observer = PurchaseObserver()

    /// At launch, before anything else.
    func open() {
        SKPaymentQueue.default().add(observer)
    }

    func buy(_ product: SKProduct) {
        guard SKPaymentQueue.canMakePayments() else { return }
        SKPaymentQueue.default().add(SKPayment(product: product))
    }
}
// end
