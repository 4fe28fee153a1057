package import StoreModel

/// The facts when a subscription is bought.
package struct SubscriptionPurchaseFacts: Hashable, Sendable {
    package let plan: SubscriptionPlan
    /// The product's own offers.
    package let offers: [SubscriptionOffer]
    /// The account's subscription in the group, with everything due already processed.
    package let current: Subscription?
    /// The current terms of its product.
    package let currentPlan: SubscriptionPlan?
    package let history: OfferHistory
    package let pace: RenewalPace
    /// When a payment provider was asked to pay it; nil when it was not.
    package let askedAt: Timestamp?

    package init(
        plan: SubscriptionPlan, offers: [SubscriptionOffer], current: Subscription?,
        currentPlan: SubscriptionPlan?, history: OfferHistory, pace: RenewalPace,
        askedAt: Timestamp? = nil
    ) {
        self.plan = plan
        self.offers = offers
        self.current = current
        self.currentPlan = currentPlan
        self.history = history
        self.pace = pace
        self.askedAt = askedAt
    }

    /// The outcome of buying it, with the requested offer or the automatic one.
    func decide(
        asking offer: SubscriptionOffer? = nil, at now: Timestamp
    ) -> SubscriptionPurchaseDecision {
        // An account with the product begins it again with an offer; without one it is refused.
        let hasIt = current.map { $0.isServed && $0.product == plan.product } ?? false
        return SubscriptionPurchaseRules.decide(
            plan,
            offer: offer
                ?? (hasIt ? nil : SubscriptionPurchaseRules.introduction(of: offers, history)),
            subscription: current, currentPlan: currentPlan, history: history, pace: pace,
            askedAt: askedAt, at: now)
    }
}
