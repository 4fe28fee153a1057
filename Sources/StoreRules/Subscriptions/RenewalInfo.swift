package import StoreModel

/// What servers are told of how a subscription goes on, as `verifyReceipt` tells it.
package struct RenewalInfo: Sendable {
    /// What it renews as, or would.
    package let product: ProductID
    /// Why it did not renew, from 1 to 5; nil while it is active. A payment that is owed counts as
    /// a billing error, unless its person turned renewal off; what was taken back is told as
    /// unknown.
    package let expirationIntent: Int64?
    /// Whether payment is tried on; nil while it is active.
    package let isInBillingRetry: Bool?
    /// Whether its person agreed to a price that needs their consent; nil when there is none, and
    /// when another product was chosen, which has a price of its own.
    package let consent: Bool?
    /// Whether a higher price holds from the next renewal on; nil likewise.
    package let increase: Bool?
    /// The offer that the next renewal has; nil when it does not renew.
    package let offer: (kind: SubscriptionOffer.Kind, id: String?)?

    package init(_ subscription: Subscription) {
        product = subscription.nextProduct ?? subscription.product
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
            offer = (next.kind, next.id)
        } else if let present = subscription.offer, present.periodsLeft > 0, isSame {
            offer = (present.kind, present.id)
        } else {
            offer = nil
        }
    }
}
