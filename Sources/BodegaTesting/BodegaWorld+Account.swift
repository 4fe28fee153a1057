extension BodegaWorld {
    /// A customer of a world.
    ///
    /// ```swift
    /// func makeGermanBuyer(in world: BodegaWorld) async throws -> BodegaWorld.Account {
    ///     try await world.account("anna@example.com", storefront: "DEU")
    /// }
    /// ```
    public struct Account: Hashable, Sendable {
        /// The name that it signs in with.
        public let name: String
        /// The password that it signs in with, for apps that ask for it.
        public let password: String
    }
}
