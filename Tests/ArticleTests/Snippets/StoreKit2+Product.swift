import StoreKit

// begin
func priceTags() async throws -> [String] {
    try await Product.products(for: ["com.example.turbo"])
        .map { "\($0.displayName): \($0.displayPrice)" }
}
// end
