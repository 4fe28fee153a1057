import StoreKit

// begin
@MainActor
func continuePurchases() async throws {
    for await intent in PurchaseIntent.intents {
        _ = try await intent.product.purchase()
    }
}
// end
