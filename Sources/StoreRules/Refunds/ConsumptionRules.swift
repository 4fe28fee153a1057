package import StoreModel

/// Why consumption information is not taken. Ordered: the first reason that holds is given.
package enum ConsumptionFault: Error, Hashable, CaseIterable, Sendable {
    case notConsented
    /// Not from 0 to 100 %; with a wish for a prorated refund, not between them.
    case percentageOutOfRange
    /// Something was consumed of what was not delivered.
    case undeliveredConsumed
    /// The store reckons an auto-renewable subscription's share by time.
    case percentageOfSubscription
}

/// What an app may say of what was consumed. Source: Apple, *ConsumptionRequest* and
/// *consumptionPercentage*.
package enum ConsumptionRules {
    package static func check(
        _ consumption: Consumption, of kind: ProductKind
    ) throws(ConsumptionFault) {
        guard consumption.customerConsented else { throw .notConsented }
        let percentage = consumption.consumptionPercentage
        if let percentage {
            guard (0...Percentage.whole).contains(percentage) else { throw .percentageOutOfRange }
        }
        guard consumption.deliveryStatus == .delivered || percentage ?? 0 == 0 else {
            throw .undeliveredConsumed
        }
        if kind == .autoRenewable {
            guard percentage == nil else { throw .percentageOfSubscription }
        } else if consumption.refundPreference == .grantProrated {
            guard let percentage, percentage > 0, percentage < Percentage.whole else {
                throw .percentageOutOfRange
            }
        }
    }
}
