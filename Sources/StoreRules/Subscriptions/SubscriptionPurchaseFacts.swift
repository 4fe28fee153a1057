package import StoreModel

/// What the store knows when somebody buys a subscription.
package struct SubscriptionPurchaseFacts: Hashable, Sendable {
    package let plan: SubscriptionPlan
    /// The product's own offers.
    package let offers: [SubscriptionOffer]
    /// The account's subscription of the group, with what was due settled.
    package let current: Subscription?
    /// What the product that it has asks now.
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

    /// What buying it comes to, with the offer that is asked for or the one that comes by itself.
    func decide(
        asking offer: SubscriptionOffer? = nil, at now: Timestamp
    ) -> SubscriptionPurchaseDecision {
        // Who has the product would begin it anew with an offer; without one it is refused.
        let hasIt = current.map { $0.isServed && $0.product == plan.product } ?? false
        return SubscriptionPurchaseRules.decide(
            plan,
            offer: offer
                ?? (hasIt ? nil : SubscriptionPurchaseRules.introduction(of: offers, history)),
            subscription: current, currentPlan: currentPlan, history: history, pace: pace,
            askedAt: askedAt, at: now)
    }
}
