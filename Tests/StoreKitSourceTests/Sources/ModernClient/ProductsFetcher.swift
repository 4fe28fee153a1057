import StoreKit

/// Fetches products with `await`, and asks once for what several want at a time.
public actor ProductsFetcher {
    public enum Failure: Error {
        case unknownIdentifiers([String])
        case store(any Error)
    }

    private var known: [String: SKProduct] = [:]
    private var running: [Set<String>: Task<[SKProduct], any Error>] = [:]
    private let makeRequest: @Sendable (Set<String>) -> SKProductsRequest

    public init(
        makeRequest: @escaping @Sendable (Set<String>) -> SKProductsRequest = {
            SKProductsRequest(productIdentifiers: $0)
        }
    ) {
        self.makeRequest = makeRequest
    }

    public func products(_ identifiers: Set<String>) async throws -> [SKProduct] {
        let cached = identifiers.compactMap { known[$0] }
        if cached.count == identifiers.count { return cached }
        if let task = running[identifiers] { return try await task.value }
        let request = makeRequest(identifiers)
        let task = Task { try await ProductsCall(request).products }
        running[identifiers] = task
        defer { running[identifiers] = nil }
        let products = try await task.value
        for product in products { known[product.productIdentifier] = product }
        return products
    }
}

/// One request, turned into something to wait for.
final class ProductsCall: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let request: SKProductsRequest
    private let lock = NSLock()
    private var continuation: CheckedContinuation<[SKProduct], any Error>?

    init(_ request: SKProductsRequest) {
        self.request = request
    }

    var products: [SKProduct] {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    lock.withLock { self.continuation = continuation }
                    request.delegate = self
                    request.start()
                }
            } onCancel: {
                request.cancel()
                end(.failure(CancellationError()))
            }
        }
    }

    func productsRequest(
        _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {
        if response.products.isEmpty, !response.invalidProductIdentifiers.isEmpty {
            let unknown = response.invalidProductIdentifiers
            end(.failure(ProductsFetcher.Failure.unknownIdentifiers(unknown)))
        } else {
            end(.success(response.products))
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        end(.failure(ProductsFetcher.Failure.store(error)))
    }

    private func end(_ result: Result<[SKProduct], any Error>) {
        let waiting = lock.withLock {
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }
}
