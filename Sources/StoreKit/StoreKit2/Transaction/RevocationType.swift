extension Transaction {
    /// How much of a transaction was taken back.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Its price was paid back.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// The price of the time left was paid back.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// The family no longer shares it.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    }
}
