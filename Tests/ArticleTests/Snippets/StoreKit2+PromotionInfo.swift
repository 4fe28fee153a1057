import StoreKit

// begin
func hide(_ product: Product) async throws {
    try await Product.PromotionInfo.updateProductVisibility(.hidden, for: product.id)
}
// end
