// begin
import StoreKit

final class Catalogue: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private(set) var products: [SKProduct] = []
    private var request: SKProductsRequest?

    func load(_ identifiers: Set<String>) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        request.start()
        // The delegate is not called when nobody keeps the request.
        self.request = request
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        DispatchQueue.main.async { self.products = response.products }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        print("The shop is closed: \(error.localizedDescription)")
    }

    static func price(of product: SKProduct) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price) ?? "\(product.price)"
    }
}
// end
