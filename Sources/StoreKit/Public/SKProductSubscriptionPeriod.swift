public import CStoreKit
public import Foundation
import StoreModel

/// How long one period of a subscription lasts.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let storedNumberOfUnits: Int
    private let storedUnit: SKProduct.PeriodUnit

    /// A period of no length, for tests that override what they need.
    public override init() {
        storedNumberOfUnits = 0
        storedUnit = .day
    }

    init(numberOfUnits: Int, unit: SKProduct.PeriodUnit) {
        storedNumberOfUnits = numberOfUnits
        storedUnit = unit
    }

    /// How many units make one period.
    open var numberOfUnits: Int { storedNumberOfUnits }

    /// The unit they are counted in.
    open var unit: SKProduct.PeriodUnit { storedUnit }
}

extension SKProductSubscriptionPeriod {
    /// A period that the store knows, in the unit it is named in.
    convenience init(_ period: RenewalPeriod) {
        switch period {
        case .week: self.init(numberOfUnits: 1, unit: .week)
        case .month: self.init(numberOfUnits: 1, unit: .month)
        case .twoMonths: self.init(numberOfUnits: 2, unit: .month)
        case .threeMonths: self.init(numberOfUnits: 3, unit: .month)
        case .sixMonths: self.init(numberOfUnits: 6, unit: .month)
        case .year: self.init(numberOfUnits: 1, unit: .year)
        }
    }
}
