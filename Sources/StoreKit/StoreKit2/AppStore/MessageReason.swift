extension Message {
    /// What a message of the store is about.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: Int

        /// A value, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Something without a case of its own.
        public static let generic = Reason(rawValue: 0)
        /// A higher price, which the customer may agree to.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A subscription that could not be charged.
        @available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, visionOS 1.0, *)
        public static let billingIssue = Reason(rawValue: 2)
        /// An offer to come back.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBackOffer = Reason(rawValue: 3)

        /// Its name for people, in English; of an unknown value, the value itself.
        public var localizedDescription: String {
            switch self {
            case .generic: "Generic"
            case .priceIncreaseConsent: "Price Increase Consent"
            case .billingIssue: "Billing Issue"
            case .winBackOffer: "Win-Back Offer"
            default: "\(rawValue)"
            }
        }
    }
}
