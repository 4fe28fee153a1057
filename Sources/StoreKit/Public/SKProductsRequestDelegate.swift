import Foundation

/// Hears what the store knows of the products asked for.
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
