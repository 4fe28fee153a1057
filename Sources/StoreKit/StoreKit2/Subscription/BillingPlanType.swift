extension Product.SubscriptionInfo {
    /// How a subscription is charged.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In each month of a longer commitment.
        public static let monthly = BillingPlanType(rawValue: "monthly")
        /// Once for each period.
        public static let upFront = BillingPlanType(rawValue: "upFront")
    }
}

extension Product.SubscriptionInfo.BillingPlanType {
    /// A plan by its name in signed data.
    init(signedName: String) {
        switch signedName {
        case "MONTHLY": self = .monthly
        case "BILLED_UPFRONT": self = .upFront
        default: self.init(rawValue: signedName)
        }
    }
}
