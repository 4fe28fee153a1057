import StoreKit

// begin
func isFreeAtFirst(_ product: SKProduct) -> Bool {
    product.introductoryPrice?.paymentMode == .freeTrial
}
// end
