import StoreKit

/// Asks for products with a delegate and hands them on in a closure.
public class ProductCatalog: NSObject {
    public typealias Completion = (Result<[SKProduct], Error>) -> Void

    public private(set) var products: [String: SKProduct] = [:]
    public private(set) var invalidIdentifiers: [String] = []
    private var requests: [SKProductsRequest: Completion] = [:]
    private let makeRequest: (Set<String>) -> SKProductsRequest

    public init(
        makeRequest: @escaping (Set<String>) -> SKProductsRequest = {
            SKProductsRequest(productIdentifiers: $0)
        }
    ) {
        self.makeRequest = makeRequest
    }

    @discardableResult
    public func load(
        _ identifiers: Set<String>, completion: @escaping Completion
    ) -> SKProductsRequest {
        let request = makeRequest(identifiers)
        request.delegate = self
        requests[request] = completion
        request.start()
        return request
    }

    public func cancelAll() {
        requests.keys.forEach { $0.cancel() }
        requests = [:]
    }

    public subscript(identifier: String) -> SKProduct? {
        return products[identifier]
    }
}

extension ProductCatalog: SKProductsRequestDelegate {
    public func productsRequest(
        _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {
        invalidIdentifiers += response.invalidProductIdentifiers
        for product in response.products {
            products[product.productIdentifier] = product
        }
        let completion = requests.removeValue(forKey: request)
        completion?(.success(response.products))
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        guard let request = request as? SKProductsRequest else { return }
        requests.removeValue(forKey: request)?(.failure(error))
    }

    public func requestDidFinish(_ request: SKRequest) {
        request.delegate = nil
    }
}
