import Foundation

/// Hears what the store knows of the products asked for.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The answer; `requestDidFinish` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
