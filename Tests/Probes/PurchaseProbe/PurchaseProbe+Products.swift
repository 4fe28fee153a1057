import Foundation
import StoreKit

extension PurchaseProbe: SKProductsRequestDelegate {
    /// Says whether the app may buy, asks the store for products, and ends with its answer.
    func ask(_ identifiers: [String]) -> Never {
        say("may pay \(SKPaymentQueue.canMakePayments())")
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        request.start()
        dispatchMain()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products.sorted(by: { $0.productIdentifier < $1.productIdentifier })
        {
            say(line(of: product))
        }
        for identifier in response.invalidProductIdentifiers.sorted() {
            say("invalid \(identifier)")
        }
    }

    func requestDidFinish(_ request: SKRequest) { exit(0) }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        say("no products \(error.localizedDescription)")
        exit(1)
    }

    private func line(of product: SKProduct) -> String {
        let sizes = product.downloadContentLengths.map { "\($0)" }.joined(separator: ",")
        let period = product.subscriptionPeriod.map { "\($0.numberOfUnits) of \($0.unit.rawValue)" }
        return [
            "product \(product.productIdentifier)", product.localizedTitle,
            product.localizedDescription,
            "\(product.price) \(product.priceLocale.currency?.identifier ?? "nil")",
            product.isDownloadable ? "content \(product.contentVersion): \(sizes)" : "no content",
            "group \(product.subscriptionGroupIdentifier ?? "nil")", "period \(period ?? "nil")",
        ].joined(separator: " | ")
    }
}
