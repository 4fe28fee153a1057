import StoreKit

// begin
final class ProductLoader: NSObject, @unchecked Sendable {
    private let request = SKProductsRequest(productIdentifiers: ["com.example.turbo"])

    func load() {
        request.delegate = self
        request.start()
    }
}
// end
