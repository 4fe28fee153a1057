extension Product.SubscriptionInfo {
    /// The state of a subscription.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: Int

        /// A value, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Paid for.
        public static let subscribed = RenewalState(rawValue: 1)
        /// Over.
        public static let expired = RenewalState(rawValue: 2)
        /// Not paid, and the store tries again.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// Not paid, and the customer may use it for some days more.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// Refunded, or no longer shared by the family.
        public static let revoked = RenewalState(rawValue: 5)

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .subscribed: "Subscribed"
            case .expired: "Expired"
            case .inBillingRetryPeriod: "In Billing Retry Period"
            case .inGracePeriod: "In Grace Period"
            case .revoked: "Revoked"
            default: "\(rawValue)"
            }
        }
    }
}
