import BodegaTesting

// begin
func paidPeriods(of product: String, in world: BodegaWorld) async throws -> Int {
    try await world.transactions().count { $0.productID == product && !$0.isRevoked }
}
// end
