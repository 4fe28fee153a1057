extension Product.SubscriptionOffer {
    /// How a customer pays for an offer.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Its price in each of its periods.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// Its price once, for all of its time.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// Nothing.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .payAsYouGo: "Pay As You Go"
            case .payUpFront: "Pay Up Front"
            case .freeTrial: "Free Trial"
            default: rawValue
            }
        }
    }
}
