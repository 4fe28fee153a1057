extension AppStore {
    /// The kind of device on which an app was first bought.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The value as Apple writes it, also one that this module does not know.
        public let rawValue: String

        /// A value, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An iPhone or an iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// A Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// An Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// An Apple Vision Pro.
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}
