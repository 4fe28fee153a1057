import StoreKit

/// Reads the receipt, and has it refreshed when there is none.
public class ReceiptReader: NSObject, SKRequestDelegate {
    public enum Failure: Error {
        case noReceipt
        case network(Error)
    }

    private var request: SKReceiptRefreshRequest?
    private var completion: ((Result<String, Failure>) -> Void)?

    public var receiptData: Data? {
        guard let url = Bundle.main.appStoreReceiptURL,
            FileManager.default.fileExists(atPath: url.path)
        else { return nil }
        return try? Data(contentsOf: url, options: .alwaysMapped)
    }

    public var isSandbox: Bool {
        return Bundle.main.appStoreReceiptURL?.lastPathComponent == "sandboxReceipt"
    }

    public func fetch(
        forceRefresh: Bool = false, expired: Bool = false,
        completion: @escaping (Result<String, Failure>) -> Void
    ) {
        if let data = receiptData, !forceRefresh {
            return completion(.success(data.base64EncodedString(options: [])))
        }
        self.completion = completion
        let properties = expired ? [SKReceiptPropertyIsExpired: NSNumber(value: true)] : nil
        let request = SKReceiptRefreshRequest(receiptProperties: properties)
        request.delegate = self
        request.start()
        self.request = request
    }

    public func requestDidFinish(_ request: SKRequest) {
        guard request is SKReceiptRefreshRequest else { return }
        if let data = receiptData {
            completion?(.success(data.base64EncodedString()))
        } else {
            completion?(.failure(.noReceipt))
        }
        self.request = nil
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        completion?(.failure(.network(error)))
        self.request = nil
    }
}
