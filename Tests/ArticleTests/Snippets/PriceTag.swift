import StoreKit

// begin
func priceTag(of product: SKProduct) -> String {
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    formatter.locale = product.priceLocale
    return "\(product.localizedTitle): \(formatter.string(from: product.price) ?? "")"
}
// end
