import StoreKit

// begin
func words(for period: SKProductSubscriptionPeriod) -> String {
    let unit =
        switch period.unit {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        @unknown default: "period"
        }
    return period.numberOfUnits == 1 ? unit : "\(period.numberOfUnits) \(unit)s"
}
// end
