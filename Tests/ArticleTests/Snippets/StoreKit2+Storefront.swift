import StoreKit

// begin
func isSoldHere(in countries: Set<String>) async -> Bool {
    guard let storefront = await Storefront.current else { return false }
    return countries.contains(storefront.countryCode)
}
// end
