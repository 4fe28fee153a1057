extension Product {
    /// The kind of a product.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once, and owned from then on.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// Bought for a time, which the app counts.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// Bought for a time, and renewed until the customer ends it.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .consumable: "Consumable"
            case .nonConsumable: "Non-Consumable"
            case .nonRenewable: "Non-Renewing Subscription"
            case .autoRenewable: "Auto-Renewable Subscription"
            default: rawValue
            }
        }
    }
}
