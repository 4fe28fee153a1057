import StoreKit

// begin
func isSold(in countries: Set<String>) -> Bool {
    guard let storefront = SKPaymentQueue.default().storefront else { return false }
    return countries.contains(storefront.countryCode)
}
// end
