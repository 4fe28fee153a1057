import StoreKit

// begin
func start(_ request: SKRequest, secondsMax: TimeInterval) {
    request.start()
    DispatchQueue.main.asyncAfter(deadline: .now() + secondsMax) { request.cancel() }
}
// end
