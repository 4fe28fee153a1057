public import CStoreKit
public import Foundation
import StoreModel

/// The length of one subscription period.
///
/// ```swift
/// func words(for period: SKProductSubscriptionPeriod) -> String {
///     let unit =
///         switch period.unit {
///         case .day: "day"
///         case .week: "week"
///         case .month: "month"
///         case .year: "year"
///         @unknown default: "period"
///         }
///     return period.numberOfUnits == 1 ? unit : "\(period.numberOfUnits) \(unit)s"
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod>
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let storedNumberOfUnits: Int
    private let storedUnit: SKProduct.PeriodUnit

    /// An empty period, for tests that override what they need.
    public override init() {
        storedNumberOfUnits = 0
        storedUnit = .day
    }

    init(numberOfUnits: Int, unit: SKProduct.PeriodUnit) {
        storedNumberOfUnits = numberOfUnits
        storedUnit = unit
    }

    /// The number of units in one period.
    open var numberOfUnits: Int { storedNumberOfUnits }

    /// The unit of the period.
    open var unit: SKProduct.PeriodUnit { storedUnit }
}

extension SKProductSubscriptionPeriod {
    /// A period from the store, in the largest unit that expresses it exactly.
    convenience init(_ span: CalendarSpan) {
        switch span {
        case .days(let count):
            let isWeeks = count % 7 == 0
            self.init(numberOfUnits: isWeeks ? count / 7 : count, unit: isWeeks ? .week : .day)
        case .months(let count):
            let isYears = count % 12 == 0
            self.init(numberOfUnits: isYears ? count / 12 : count, unit: isYears ? .year : .month)
        }
    }
}
