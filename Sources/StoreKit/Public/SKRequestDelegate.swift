public import Foundation

/// Learns how a request ended. Both methods are optional.
///
/// They are called on one of StoreKit's own threads.
///
/// ```swift
/// extension ProductLoader {
///     func requestDidFinish(_ request: SKRequest) {
///         print("That is all there is.")
///     }
///
///     func request(_ request: SKRequest, didFailWithError error: any Error) {
///         print("The shop is closed: \(error.localizedDescription)")
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skrequestdelegate>
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request succeeded; its response was delivered before.
    func requestDidFinish(_ request: SKRequest)

    /// The request failed, and nothing else will be called.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}

    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
