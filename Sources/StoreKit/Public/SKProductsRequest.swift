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
open class SKProductsRequest: SKRequest {
    private static let queue = DispatchQueue(label: "StoreKit.products", attributes: .concurrent)

    private let identifiers: Set<String>
    private let context: StoreContext
    /// In place of the context's, for tests.
    private let ownClient: ProductsClient?

    /// A request for no products, for tests that override what they need.
    public override init() {
        identifiers = []
        context = .current
        ownClient = nil
        super.init()
    }

    /// A request for the products of these identifiers.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
        context = .current
        ownClient = nil
        super.init()
    }

    init(productIdentifiers: Set<String>, client: ProductsClient) {
        identifiers = productIdentifiers
        context = .current
        ownClient = client
        super.init()
    }

    override func send(_ run: RequestRun) {
        let identifiers = identifiers
        let (context, ownClient) = (context, ownClient)
        Self.queue.async {
            let result = context.products(identifiers, with: ownClient)
            context.bind { (run.request as? SKProductsRequest)?.handOver(result, run) }
            run.end()
        }
    }

    private func handOver(_ result: Result<SKProductsResponse, SKError>, _ run: RequestRun) {
        guard let delegate else { return }
        switch result {
        case .success(let response):
            (delegate as? any SKProductsRequestDelegate)?
                .productsRequest(self, didReceive: response)
            if run.request != nil { delegate.requestDidFinish(self) }
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
