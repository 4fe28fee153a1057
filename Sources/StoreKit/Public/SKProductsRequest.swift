import Dispatch
import Foundation

/// Asks the store which products it sells under some identifiers.
///
/// ```swift
/// final class ProductLoader: NSObject, @unchecked Sendable {
///     private let request = SKProductsRequest(productIdentifiers: ["com.example.turbo"])
///
///     func load() {
///         request.delegate = self
///         request.start()
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductsrequest>
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private static let queue = DispatchQueue(label: "StoreKit.products", attributes: .concurrent)

    private let identifiers: Set<String>
    private let makeClient: @Sendable () -> ProductsClient

    /// A request for no products, for tests that override what they need.
    public override init() {
        identifiers = []
        makeClient = { StoreKitProcess.shared.productsClient }
        super.init()
    }

    /// A request for the products of these identifiers.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
        makeClient = { StoreKitProcess.shared.productsClient }
        super.init()
    }

    init(productIdentifiers: Set<String>, client: ProductsClient) {
        identifiers = productIdentifiers
        makeClient = { client }
        super.init()
    }

    override func send(round: Int) {
        let identifiers = identifiers
        let makeClient = makeClient
        Self.queue.async { [weak self] in
            let result = makeClient().products(identifiers)
            self?.handOver(result, round: round)
        }
    }

    private func handOver(_ result: Result<SKProductsResponse, SKError>, round: Int) {
        guard isCurrent(round: round), let delegate else { return }
        switch result {
        case .success(let response):
            (delegate as? any SKProductsRequestDelegate)?
                .productsRequest(self, didReceive: response)
            if isCurrent(round: round) { delegate.requestDidFinish(self) }
        case .failure(let error):
            delegate.request(self, didFailWithError: error)
        }
    }
}

/// Receives the store's description of the requested products.
///
/// ```swift
/// extension ProductLoader: SKProductsRequestDelegate {
///     func productsRequest(
///         _ request: SKProductsRequest, didReceive response: SKProductsResponse
///     ) {
///         for product in response.products { print(product.localizedTitle, product.price) }
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductsrequestdelegate>
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The answer; `requestDidFinish` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
