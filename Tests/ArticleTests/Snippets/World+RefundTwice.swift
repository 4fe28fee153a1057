import BodegaTesting

// begin
func refundTwice(_ sale: BodegaWorld.Sale, in world: BodegaWorld) async throws {
    try await world.refund(sale)
    do {
        try await world.refund("1")
    } catch let error as BodegaError where error.code == "transactionUnknown" {
        print(error)
    }
}
// end
