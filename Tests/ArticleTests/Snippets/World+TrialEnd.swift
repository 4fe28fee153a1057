import BodegaTesting

// begin
func letTrialEnd(in world: BodegaWorld) async throws {
    try await world.advance(.days(7))
}
// end
