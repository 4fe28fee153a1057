extension Transaction {
    /// Why a transaction was refunded or revoked.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: Int

        /// A value, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A problem with the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = RevocationReason(rawValue: 0)

        /// Its name for people, in English; of an unknown value, the value itself.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .developerIssue: "Developer Issue"
            case .other: "Other"
            default: "\(rawValue)"
            }
        }
    }
}
