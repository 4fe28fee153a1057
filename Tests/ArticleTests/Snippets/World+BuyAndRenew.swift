import BodegaTesting
import StoreKit

// begin
func buyAndRenew(_ product: SKProduct, in world: BodegaWorld) async throws {
    try await world.run {
        SKPaymentQueue.default().add(SKPayment(product: product))
    }
    try await world.advance(.days(31))
}
// end
