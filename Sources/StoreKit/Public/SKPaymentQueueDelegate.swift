public import Foundation

/// Decides what the queue asks of the app. The method is optional.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment goes on although signing in changed the storefront; true unless it says
    /// otherwise. When false, the transaction fails with `storeProductNotAvailable`.
    ///
    /// Called on the main thread, before the person is asked to approve.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
}

extension SKPaymentQueueDelegate {
    /// True.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }
}
