import StoreKitTest

// begin
@MainActor
func testUpgrade() async throws {
    let session = try SKTestSession(configurationFileNamed: "Products")
    session.disableDialogs = true
    try await session.run {
        for product in try await Product.products(for: ["com.example.pro"]) {
            _ = try await product.purchase()
        }
    }
}
// end
