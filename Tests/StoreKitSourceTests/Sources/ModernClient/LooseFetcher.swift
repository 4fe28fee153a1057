import StoreKit

// Apple's requests are not `Sendable`; clients whose requests cross threads declare it.
extension SKRequest: @unchecked @retroactive Sendable {}

/// Fetches products with a request that nobody but the system keeps.
public final class LooseFetcher: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let done: @Sendable (Result<[SKProduct], any Error>) -> Void

    public init(done: @escaping @Sendable (Result<[SKProduct], any Error>) -> Void) {
        self.done = done
    }

    public func ask(_ identifiers: Set<String>, cancelsAfterSeconds seconds: Int) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        request.start()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak request] in
            request?.cancel()
        }
    }

    public func productsRequest(
        _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {
        done(.success(response.products))
    }

    public func request(_ request: SKRequest, didFailWithError error: any Error) {
        done(.failure(error))
    }
}
