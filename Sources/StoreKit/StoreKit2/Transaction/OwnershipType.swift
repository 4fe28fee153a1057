extension Transaction {
    /// Whose purchase a transaction is.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The account bought it.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A member of the family bought and shares it.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family Shared"
            default: rawValue
            }
        }
    }
}
