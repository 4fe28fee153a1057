import StoreKit

// begin
func promote(_ product: SKProduct) async throws {
    let controller = SKProductStorePromotionController.default()
    try await controller.update(promotionVisibility: .show, for: product)
    try await controller.update(promotionOrder: [product])
}
// end
