import StoreKit

// begin
func restorePurchases() async throws {
    try await AppStore.sync()
}
// end
