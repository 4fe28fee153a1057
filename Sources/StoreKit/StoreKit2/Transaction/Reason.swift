extension Transaction {
    /// What a transaction came from.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A purchase by the customer.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// A renewal by the store.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }
}
