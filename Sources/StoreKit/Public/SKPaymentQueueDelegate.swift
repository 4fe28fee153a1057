public import Foundation

/// Decides what the queue asks of the app. All methods are optional.
///
/// ```swift
/// final class QueueDelegate: NSObject, SKPaymentQueueDelegate {
///     var isPlaying = false
///
///     func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
///         !isPlaying
///     }
///
///     func paymentQueue(
///         _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
///         in newStorefront: SKStorefront
///     ) -> Bool {
///         newStorefront.countryCode != "CHE"
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpaymentqueuedelegate>
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment goes on although signing in changed the storefront; true unless it says
    /// otherwise. When false, the transaction fails with `storeProductNotAvailable`.
    ///
    /// Called on the main thread, before the person is asked to approve.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool

    /// Whether the person may be asked now to agree to a subscription's new price; true unless it
    /// says otherwise. When false, `showPriceConsentIfNeeded()` asks later, and the next launch asks
    /// here again.
    ///
    /// Called on the main thread. Set the delegate before the first observer: a price that waits is
    /// heard of as soon as there is one.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// True.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    /// True.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
