/// An app's report on a purchase with a refund request: Apple's *ConsumptionRequest*, by its names.
package struct Consumption: Hashable, Codable, Sendable {
    package enum DeliveryStatus: String, Codable, CaseIterable, Sendable {
        case delivered = "DELIVERED"
        case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
        case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
        case undeliveredOther = "UNDELIVERED_OTHER"
    }

    package enum Preference: String, Codable, CaseIterable, Sendable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    /// Whether the customer agreed to the report; without that it is not accepted.
    package let customerConsented: Bool
    /// What was consumed, in thousandths of a percent.
    package let consumptionPercentage: Int64?
    package let deliveryStatus: DeliveryStatus
    /// The decision that the app prefers.
    package let refundPreference: Preference?
    /// Whether there was a free sample, or information on what it does, before the purchase.
    package let sampleContentProvided: Bool

    package init(
        customerConsented: Bool, consumptionPercentage: Int64? = nil,
        deliveryStatus: DeliveryStatus, refundPreference: Preference? = nil,
        sampleContentProvided: Bool
    ) {
        self.customerConsented = customerConsented
        self.consumptionPercentage = consumptionPercentage
        self.deliveryStatus = deliveryStatus
        self.refundPreference = refundPreference
        self.sampleContentProvided = sampleContentProvided
    }
}
