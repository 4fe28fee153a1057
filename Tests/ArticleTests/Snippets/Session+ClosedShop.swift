import StoreKitTest

// begin
func closeShop(in session: SKTestSession) async throws {
    try await session.setSimulatedError(.generic(.notAvailableInStorefront), forAPI: .loadProducts)
}
// end
