import BodegaTesting

// begin
func makeWorld(selling catalogue: BodegaWorld.Catalogue) async throws -> BodegaWorld {
    try await BodegaStore.shared.world(catalogue: catalogue, bundleID: "com.example.app")
}
// end
