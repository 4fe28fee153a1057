import StoreKit

// begin
extension ProductLoader: SKProductsRequestDelegate {
    func productsRequest(
        _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {
        for product in response.products { print(product.localizedTitle, product.price) }
    }
}
// end
