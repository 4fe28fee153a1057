extension Product.SubscriptionOffer {
    /// The kind of an offer: for whom it is.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For customers who never had one in the group.
        public static let introductory = OfferType(rawValue: "Introductory")
        /// For current and former subscribers, with the developer's signature.
        public static let promotional = OfferType(rawValue: "Promotional")
        /// For former subscribers.
        @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
        public static let winBack = OfferType(rawValue: "WinBack")

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory"
            case .promotional: "Promotional"
            case .winBack: "Win-Back"
            default: rawValue
            }
        }
    }
}
