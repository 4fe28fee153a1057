import StoreKit

// begin
final class QueueDelegate: NSObject, SKPaymentQueueDelegate {
    var isPlaying = false

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        !isPlaying
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        newStorefront.countryCode != "CHE"
    }
}
// end
