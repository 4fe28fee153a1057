import StoreKit

// begin
func trialText(for product: Product) async -> String? {
    guard let subscription = product.subscription,
        let offer = subscription.introductoryOffer, offer.paymentMode == .freeTrial,
        await subscription.isEligibleForIntroOffer
    else { return nil }
    return "Free for \(offer.period.value) \(offer.period.unit)"
}
// end
