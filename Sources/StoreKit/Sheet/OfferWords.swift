import CStoreKit
import Foundation

/// An offer's price as a sheet shows it.
enum OfferWords {
    /// Such as `$0.99 for each of 3 months, then $9.99`; `full` is the price afterwards.
    static func price(
        _ discount: SKProductDiscount, then full: String, _ formatter: NumberFormatter
    ) -> String {
        let one = formatter.string(from: discount.price) ?? "\(discount.price)"
        let period = discount.subscriptionPeriod
        let total = period.numberOfUnits * discount.numberOfPeriods
        let whole = count(total, period.unit)
        switch discount.paymentMode {
        case .freeTrial: return "free for \(whole), then \(full)"
        case .payUpFront: return "\(one) for \(whole), then \(full)"
        case .payAsYouGo where discount.numberOfPeriods == 1:
            return "\(one) for \(whole), then \(full)"
        case .payAsYouGo where period.numberOfUnits == 1:
            return "\(one) for each of \(whole), then \(full)"
        default:
            let each = count(period.numberOfUnits, period.unit)
            return "\(one) for each \(each) of \(whole), then \(full)"
        }
    }

    private static func count(_ number: Int, _ unit: SKProduct.PeriodUnit) -> String {
        let word =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            default: "period"
            }
        return number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
