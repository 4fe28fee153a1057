extension BodegaWorld {
    /// How far a world's clock is moved.
    ///
    /// ```swift
    /// func letTrialEnd(in world: BodegaWorld) async throws {
    ///     try await world.advance(.days(7))
    /// }
    /// ```
    public struct TimeSpan: Hashable, Sendable {
        let milliseconds: Int64

        /// Days of 24 hours. A month of a subscription has 28 to 31.
        public static func days(_ count: Int) -> Self { seconds(count * 86_400) }

        /// Hours.
        public static func hours(_ count: Int) -> Self { seconds(count * 3_600) }

        /// Minutes.
        public static func minutes(_ count: Int) -> Self { seconds(count * 60) }

        /// Seconds.
        public static func seconds(_ count: Int) -> Self {
            Self(milliseconds: Int64(count) * 1_000)
        }

        /// Milliseconds.
        public static func milliseconds(_ count: Int) -> Self { Self(milliseconds: Int64(count)) }
    }
}
