import Foundation
import StoreKit

/// Asks the store for this device's receipt again.
final class ReceiptFetch: NSObject, SKRequestDelegate, @unchecked Sendable {
    private var request: SKReceiptRefreshRequest?
    private let then: ((any Error)?) -> Void

    /// `then` is called once, on the main thread, with the error, if any.
    init(then: @escaping ((any Error)?) -> Void) {
        self.then = then
    }

    func start() {
        let request = SKReceiptRefreshRequest()
        self.request = request
        request.delegate = self
        request.start()
    }

    func requestDidFinish(_ request: SKRequest) {
        DispatchQueue.main.async { self.then(nil) }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        DispatchQueue.main.async { self.then(error) }
    }
}
