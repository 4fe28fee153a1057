import BodegaTesting

// begin
func makeGermanBuyer(in world: BodegaWorld) async throws -> BodegaWorld.Account {
    try await world.account("anna@example.com", storefront: "DEU")
}
// end
