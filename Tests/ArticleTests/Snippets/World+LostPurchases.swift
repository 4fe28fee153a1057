import BodegaTesting

// begin
func loseTwoPurchases(in world: BodegaWorld) async throws {
    try await world.faults.breakConnections(to: "/device/v1/attempts", count: 2)
}
// end
