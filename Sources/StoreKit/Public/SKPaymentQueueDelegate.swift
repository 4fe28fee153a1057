public import Foundation

/// Answers the queue's questions to the app. All methods are optional.
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
    /// Whether a payment continues although signing in changed the storefront; true by default. If
    /// false, the transaction fails with `storeProductNotAvailable`.
    ///
    /// Called on the main thread, before the customer is asked to approve.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool

    /// Whether the customer may be asked now to agree to a subscription's new price; true by
    /// default. If false, `showPriceConsentIfNeeded()` asks later, and the next launch calls this
    /// again.
    ///
    /// Called on the main thread. Set the delegate before adding the first observer: a waiting
    /// price is reported as soon as there is one.
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
