import StoreKit

// begin
func isMember(_ product: Product) async throws -> Bool {
    let statuses = try await product.subscription?.status ?? []
    return statuses.contains { $0.state == .subscribed || $0.state == .inGracePeriod }
}
// end
