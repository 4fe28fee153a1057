import StoreKit

// begin
final class ReceiptRefresher: NSObject, SKRequestDelegate, @unchecked Sendable {
    private let request = SKReceiptRefreshRequest()

    func refresh() {
        request.delegate = self
        request.start()
    }

    func requestDidFinish(_ request: SKRequest) {
        let receipt = Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) }
        print("\(receipt?.count ?? 0) bytes for the server")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        print("There is no receipt: \(error.localizedDescription)")
    }
}
// end
