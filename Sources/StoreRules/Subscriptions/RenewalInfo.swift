package import StoreModel

/// How a subscription will renew, as servers are told.
package struct RenewalInfo: Sendable {
    /// The product that it renews as, or would.
    package let product: ProductID
    /// Why it did not renew, from 1 to 5; nil while it is active. An unpaid renewal counts as a
    /// billing error, unless the customer turned renewal off; a revoked one is reported as unknown.
    package let expirationIntent: Int64?
    /// Whether a payment is being retried; nil while it is active.
    package let isInBillingRetry: Bool?
    /// Whether the customer agreed to a price that needs consent; nil when there is none, and when
    /// another product was chosen, which has a price of its own.
    package let consent: Bool?
    /// Whether a higher price applies from the next renewal; nil likewise.
    package let increase: Bool?
    /// The offer of the next renewal; nil when it does not renew.
    package let offer: SubscribedPeriod.Offer?

    package init(_ subscription: Subscription) {
        product = subscription.productToRenew
        switch subscription.phase {
        case .active:
            expirationIntent = nil
            isInBillingRetry = nil
        case .gracePeriod, .billingRetry:
            let isTried = subscription.isAutoRenewing
            expirationIntent = (isTried ? ExpirationReason.billingError : .voluntary).rawValue
            isInBillingRetry = isTried
        case .expired(let reason):
            expirationIntent = reason.rawValue
            isInBillingRetry = false
        case .revoked:
            expirationIntent = ExpirationReason.other.rawValue
            isInBillingRetry = false
        }
        let isSame = subscription.nextProduct == nil
        let told = isSame ? subscription.increase : nil
        consent = told.flatMap { $0.consent == .notNeeded ? nil : $0.isAgreed }
        increase = told?.isAgreed
        if !subscription.isAutoRenewing {
            offer = nil
        } else if let next = subscription.nextOffer {
            offer = SubscribedPeriod.Offer(
                kind: next.kind, id: next.id, mode: next.mode, duration: next.duration)
        } else if let present = subscription.offer, present.periodsLeft > 0, isSame {
            offer = SubscribedPeriod.Offer(present)
        } else {
            offer = nil
        }
    }
}
