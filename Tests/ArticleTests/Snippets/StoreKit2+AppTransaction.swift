import StoreKit

// begin
func boughtBeforeVersionTwo() async throws -> Bool {
    let app = try await AppTransaction.shared.payloadValue
    return app.originalAppVersion.hasPrefix("1.")
}
// end
