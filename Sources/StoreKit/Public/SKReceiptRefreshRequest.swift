import Foundation

/// Asks the store for a fresh receipt. When `requestDidFinish` is called, read the file at
/// `Bundle.main.appStoreReceiptURL` again.
///
/// ```swift
/// final class ReceiptRefresher: NSObject, SKRequestDelegate, @unchecked Sendable {
///     private let request = SKReceiptRefreshRequest()
///
///     func refresh() {
///         request.delegate = self
///         request.start()
///     }
///
///     func requestDidFinish(_ request: SKRequest) {
///         let receipt = Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) }
///         print("\(receipt?.count ?? 0) bytes for the server")
///     }
///
///     func request(_ request: SKRequest, didFailWithError error: any Error) {
///         print("There is no receipt: \(error.localizedDescription)")
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skreceiptrefreshrequest>
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?
    private let refresh: ReceiptRefresh

    /// A request for the receipt as it is.
    public override init() {
        properties = nil
        refresh = ReceiptRefresh(in: .current)
        super.init()
    }

    /// A request for a receipt with these `SKReceiptProperty…` values, in the sandbox only.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
        refresh = ReceiptRefresh(in: .current)
        super.init()
    }

    init(receiptProperties properties: [String: Any]?, refresh: ReceiptRefresh) {
        self.properties = properties
        self.refresh = refresh
        super.init()
    }

    /// The requested values of the receipt.
    open var receiptProperties: [String: Any]? { properties }

    override func send(_ run: RequestRun) {
        refresh.run(ReceiptProperties(properties)) { result in
            defer { run.end() }
            guard let request = run.request, let delegate = request.delegate else { return }
            switch result {
            case .success: delegate.requestDidFinish(request)
            case .failure(let error): delegate.request(request, didFailWithError: error)
            }
        }
    }
}

/// For `SKReceiptRefreshRequest`, with a Boolean value: requests an expired receipt.
///
/// ```swift
/// func requestForExpiredReceipt() -> SKReceiptRefreshRequest {
///     SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skreceiptpropertyisexpired>
public let SKReceiptPropertyIsExpired: String = "expired"

/// For `SKReceiptRefreshRequest`, with a Boolean value: requests a revoked receipt.
public let SKReceiptPropertyIsRevoked: String = "revoked"

/// For `SKReceiptRefreshRequest`, with a Boolean value: requests the receipt of a volume purchase.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"
