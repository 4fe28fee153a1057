import Foundation
import StoreKit

// begin
@MainActor
func buyTwo(of product: Product, for user: UUID) async throws -> Product.PurchaseResult {
    try await product.purchase(options: [.quantity(2), .appAccountToken(user)])
}
// end
