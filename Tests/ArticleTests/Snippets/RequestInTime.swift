import StoreKit

// begin
@MainActor func start(_ request: SKRequest, secondsMax: Int) {
    request.start()
    Task {
        try await Task.sleep(for: .seconds(secondsMax))
        request.cancel()
    }
}
// end
