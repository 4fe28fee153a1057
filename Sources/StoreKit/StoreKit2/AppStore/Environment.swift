extension AppStore {
    /// Where a purchase was made.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// With real money.
        public static let production = Environment(rawValue: "Production")
        /// In the test environment.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// In Xcode's own test store.
        public static let xcode = Environment(rawValue: "Xcode")
    }
}
