import StoreKit

// begin
func words(for period: Product.SubscriptionPeriod) -> String {
    let unit = period.unit.localizedDescription.lowercased()
    return period.value == 1 ? unit : "\(period.value) \(unit)s"
}
// end
