package import StoreModel

/// Why consumption information is not accepted. Ordered: the first reason that applies is given.
package enum ConsumptionFault: Error, Hashable, CaseIterable, Sendable {
    case notConsented
    /// Not from 0 to 100 %; with a preference for a prorated refund, not strictly between.
    case percentageOutOfRange
    /// The purchase was not delivered, but some of it was consumed.
    case undeliveredConsumed
    /// The store calculates an auto-renewable subscription's share by time.
    case percentageOfSubscription
}

/// What an app may report as consumed. Source: Apple, *ConsumptionRequest* and
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
