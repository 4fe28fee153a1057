package import StoreModel

/// Why a subscription is not sold as requested.
package enum SubscriptionRefusal: Error, Hashable, Sendable {
    /// The subscription belongs to another group.
    case otherGroup
    /// The same product is paid and will renew: a second period is not sold.
    case alreadySubscribed
    /// The account already had an introductory offer in this group, is not a subscriber where the
    /// offer requires one, or is one where it must not be.
    case notEligible
    /// The subscription can no longer be changed.
    case ended
}

/// The outcome of buying a subscription.
package enum SubscriptionPurchaseDecision: Hashable, Sendable {
    /// A period is charged and begins. The rest of the previous one is refunded.
    case charge(SubscriptionBill, refund: Money?)
    /// Nothing is charged now: the product, with its offer, begins with the next renewal.
    case atRenewal(ProductID, SubscriptionOffer?)
    /// Renewal had been turned off, or another product chosen; it continues as before.
    case goesOn
    case refuse(SubscriptionRefusal)
}

/// The history that decides on eligibility for offers.
package struct OfferHistory: Hashable, Sendable {
    /// Whether the account ever subscribed to a product of the group.
    package let hasSubscribed: Bool
    /// Whether a period of the group had an introductory offer.
    package let hadIntroduction: Bool

    package init(hasSubscribed: Bool, hadIntroduction: Bool) {
        self.hasSubscribed = hasSubscribed
        self.hadIntroduction = hadIntroduction
    }
}

package enum SubscriptionPurchaseRules {
    /// The outcome of buying a plan for an account with the group's `subscription`, or without one.
    ///
    /// A higher level begins at once and the rest of the period is refunded; so does another
    /// product of the same level and period. A lower level, or the same one with another period,
    /// begins at the renewal, and so does an offer for the same product. `asked` is when a payment
    /// provider was asked to pay it. Source: Apple, "Auto-renewable subscriptions: subscription
    /// levels".
    package static func decide(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer?, subscription: Subscription?,
        currentPlan: SubscriptionPlan?, history: OfferHistory, pace: RenewalPace,
        askedAt asked: Timestamp? = nil, at now: Timestamp
    ) -> SubscriptionPurchaseDecision {
        if let currentPlan, currentPlan.group != plan.group { return .refuse(.otherGroup) }
        if let offer, !isEligible(for: offer, history, subscription) {
            return .refuse(.notEligible)
        }
        guard let subscription, subscription.isOpen else {
            return .charge(
                firstBill(plan, offer: offer, at: now, pace: pace), refund: nil)
        }
        // An unpaid subscriber buys anew, whatever the plan, and is charged at once.
        guard case .active = subscription.phase, now < subscription.expiresAt else {
            return .charge(
                firstBill(plan, offer: offer, at: now, pace: pace), refund: nil)
        }
        if plan.product == subscription.product, offer == nil {
            let isUnchanged = subscription.isAutoRenewing && subscription.nextProduct == nil
            return isUnchanged ? .refuse(.alreadySubscribed) : .goesOn
        }
        guard plan.product != subscription.product,
            beginsAtOnce(plan, after: currentPlan, subscription)
        else { return .atRenewal(plan.product, offer) }
        return .charge(
            firstBill(plan, offer: offer, at: now, pace: pace),
            refund: unusedPart(of: subscription, at: quote(asked, of: subscription, at: now)))
    }

    /// The refund was quoted to a payment provider when it was asked, and stands.
    private static func quote(
        _ asked: Timestamp?, of subscription: Subscription, at now: Timestamp
    ) -> Timestamp {
        guard let asked, asked >= subscription.startedAt else { return now }
        return min(asked, now)
    }

    /// The introductory offer that a first purchase has automatically.
    package static func introduction(
        of offers: [SubscriptionOffer], _ history: OfferHistory
    ) -> SubscriptionOffer? {
        history.hadIntroduction ? nil : offers.first { $0.kind == .introductory }
    }

    /// The win-back offers available to the customer now, in the order of the catalogue.
    package static func winBacks(
        of offers: [SubscriptionOffer], _ subscription: Subscription
    ) -> [SubscriptionOffer] {
        let history = OfferHistory(hasSubscribed: true, hadIntroduction: false)
        return offers.filter { $0.kind == .winBack && isEligible(for: $0, history, subscription) }
    }

    static func isEligible(
        for offer: SubscriptionOffer, _ history: OfferHistory, _ subscription: Subscription?
    ) -> Bool {
        switch offer.kind {
        case .introductory: !history.hadIntroduction
        case .promotional: history.hasSubscribed
        case .code:
            offer.customers.contains(
                subscription?.isOpen == true
                    ? .existing : history.hasSubscribed ? .expired : .new)
        case .winBack: history.hasSubscribed && isGone(subscription)
        }
    }

    /// Whether a customer who once subscribed may be won back.
    package static func isGone(_ subscription: Subscription?) -> Bool {
        subscription?.isOpen != true
    }

    private static func beginsAtOnce(
        _ plan: SubscriptionPlan, after current: SubscriptionPlan?, _ subscription: Subscription
    ) -> Bool {
        let (new, old) = (plan.level ?? .max, current?.level ?? .max)
        if new != old { return new < old }
        return plan.period == subscription.period
    }

    /// A period that begins now, with its offer; one that follows another keeps its anchor.
    static func firstBill(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer?, at now: Timestamp,
        anchor: Subscription.Anchor? = nil, pace: RenewalPace
    ) -> SubscriptionBill {
        let span =
            switch offer?.mode {
            case .freeTrial, .payUpFront:
                offer.map { $0.span.times($0.periodCount) } ?? plan.period.span
            case .payAsYouGo, nil: plan.period.span
            }
        let (end, anchor) = BillingCalendar.period(of: span, from: now, anchor: anchor, pace: pace)
        let amount = offer?.price.in(plan.price.currency) ?? plan.price
        return SubscriptionBill(
            plan: plan, amount: amount,
            offer: offer.map {
                Subscription.OfferInUse(
                    kind: $0.kind, id: $0.id, mode: $0.mode, price: amount,
                    periodsLeft: $0.mode == .payAsYouGo ? $0.periodCount - 1 : 0,
                    duration: $0.duration)
            }, startsAt: now, endsAt: end, anchor: anchor)
    }

    /// The price of the rest of the current period, whole in its currency.
    static func unusedPart(of subscription: Subscription, at now: Timestamp) -> Money {
        let paid = subscription.offer?.price ?? subscription.price
        let whole = subscription.expiresAt.milliseconds - subscription.startedAt.milliseconds
        let left = max(0, min(whole, subscription.expiresAt.milliseconds - now.milliseconds))
        return whole > 0 ? paid.share(left, of: whole) : .nothing(in: paid.currency)
    }
}
