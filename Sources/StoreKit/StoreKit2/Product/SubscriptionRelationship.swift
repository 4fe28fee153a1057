extension Product {
    /// How subscriptions of a group stand to the one that the customer has.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public struct SubscriptionRelationship: OptionSet {
        /// The set's bits.
        public let rawValue: Int

        /// A set of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The one that the customer has.
        public static var current: Self { Self(rawValue: 1) }
        /// Those of a lower level.
        public static var downgrade: Self { Self(rawValue: 2) }
        /// The others of the same level.
        public static var crossgrade: Self { Self(rawValue: 4) }
        /// Those of a higher level.
        public static var upgrade: Self { Self(rawValue: 8) }
        /// All of the group.
        public static var all: Self { [.current, .downgrade, .crossgrade, .upgrade] }
    }
}
