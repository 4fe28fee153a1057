public import CStoreKit
public import Foundation

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
