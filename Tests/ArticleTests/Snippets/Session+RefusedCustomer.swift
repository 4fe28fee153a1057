import StoreKitTest

// begin
func refuseCustomer(in session: SKTestSession) async throws {
    try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
}
// end
