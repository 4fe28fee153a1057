import BodegaTesting

// begin
func renewals(in world: BodegaWorld) async throws -> Int {
    try await world.advance(.days(31)).renewals
}
// end
