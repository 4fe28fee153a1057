import Foundation
import StoreKit

/// Asks the store for products, as in Apple's guide.
final class ProductList: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private var request: SKProductsRequest?
    private let then: (Result<SKProductsResponse, any Error>) -> Void

    init(then: @escaping (Result<SKProductsResponse, any Error>) -> Void) {
        self.then = then
    }

    func ask(_ identifiers: Set<String>) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        // The request must be kept until it ends.
        self.request = request
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        DispatchQueue.main.async { self.then(.success(response)) }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        DispatchQueue.main.async { self.then(.failure(error)) }
    }

    /// A price in the customer's local format.
    static func price(of product: SKProduct, quantity: Int = 1) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        let total = product.price.multiplying(by: NSDecimalNumber(value: quantity))
        return formatter.string(from: total) ?? "\(total)"
    }
}
