package import StoreModel

/// What the store knows when a subscription is due.
package struct RenewalFacts: Hashable, Sendable {
    /// What the next period is to be of, the present product or the one that was chosen; nil when
    /// it is not for sale.
    package let plan: SubscriptionPlan?
    package let pace: RenewalPace
    /// Nil when the app serves nobody who did not pay.
    package let gracePeriod: GracePeriod?

    package init(plan: SubscriptionPlan?, pace: RenewalPace, gracePeriod: GracePeriod?) {
        self.plan = plan
        self.pace = pace
        self.gracePeriod = gracePeriod
    }
}

/// What a subscription that is due comes to.
package enum RenewalDecision: Hashable, Sendable {
    /// It is not due yet, or never again.
    case nothing
    /// This is to be paid; `RenewalRules.paid` and `unpaid` say what comes of it.
    case charge(SubscriptionBill)
    /// Nothing can be charged now, and it is served on; it is tried again.
    case tryLater
    case endGracePeriod
    case expire(ExpirationReason)
}

/// The life of a subscription after it was bought: a state goes in with what happened, and the
/// state after it comes out.
package enum RenewalRules {
    /// Decides what is due at a moment.
    package static func due(
        _ subscription: Subscription, _ facts: RenewalFacts, at now: Timestamp
    ) -> RenewalDecision {
        guard let dueAt = subscription.dueAt, dueAt <= now else { return .nothing }
        switch subscription.phase {
        case .active:
            if let reason = reasonToEnd(subscription, facts) { return .expire(reason) }
            return charge(subscription, facts, from: subscription.expiresAt)
        case .gracePeriod(let end):
            if end <= now {
                if !subscription.isAutoRenewing { return .expire(.voluntary) }
                return facts.plan == nil ? .expire(.billingError) : .endGracePeriod
            }
            // The days of grace are promised, whatever is for sale.
            if facts.plan == nil { return .tryLater }
            // The days that were served are part of the period that is paid for, unless it would
            // be over by now: it was chosen, or the pace is another since.
            let owed = charge(subscription, facts, from: subscription.expiresAt)
            guard case .charge(let bill) = owed, bill.endsAt <= now else { return owed }
            return charge(subscription, facts, from: now)
        case .billingRetry:
            let isOver = subscription.retry.map { $0.endsAt <= now } ?? true
            if !subscription.isAutoRenewing { return .expire(.voluntary) }
            if isOver || facts.plan == nil { return .expire(.billingError) }
            return charge(subscription, facts, from: now)
        case .expired, .revoked:
            return .nothing
        }
    }

    /// The due payment was made; a new period begins.
    package static func paid(
        _ subscription: Subscription, _ bill: SubscriptionBill
    ) -> Subscription {
        var renewed = subscription.beginning(bill)
        if subscription.goesOn(as: bill.plan) {
            let increase = subscription.increase
            renewed.isRaised = subscription.isRaised || increase?.isAgreed == true
            // What was not agreed to was not charged, and is still asked.
            if increase?.isAgreed == false { renewed.increase = increase }
        }
        renewed.renewalCount += 1
        return renewed
    }

    /// The due payment was not made at this moment, or could not be tried.
    package static func unpaid(
        _ subscription: Subscription, _ facts: RenewalFacts, at now: Timestamp
    ) -> Subscription {
        var changed = subscription
        switch subscription.phase {
        case .active:
            let expiry = subscription.expiresAt
            changed.retry = Subscription.Retry(
                endsAt: expiry.adding(facts.pace.billingRetry),
                nextAt: now.adding(facts.pace.retryPause))
            changed.phase =
                facts.gracePeriod.map {
                    .gracePeriod(
                        until: expiry.adding(
                            facts.pace.gracePeriod($0, of: subscription.period)))
                } ?? .billingRetry
        case .gracePeriod, .billingRetry:
            // As often as was begun, whatever the pace is by now.
            if let retry = subscription.retry {
                let whole = retry.endsAt.milliseconds - subscription.expiresAt.milliseconds
                let pause = max(1, whole / RenewalPace.retryTries)
                changed.retry?.nextAt = now.adding(milliseconds: pause)
            }
        case .expired, .revoked:
            break
        }
        return changed
    }

    /// The days of grace are over; payment is tried on.
    package static func graceEnded(_ subscription: Subscription) -> Subscription {
        guard case .gracePeriod = subscription.phase else { return subscription }
        var changed = subscription
        changed.phase = .billingRetry
        return changed
    }

    package static func expired(
        _ subscription: Subscription, _ reason: ExpirationReason
    ) -> Subscription {
        guard subscription.isOpen else { return subscription }
        var ended = subscription
        ended.phase = .expired(reason)
        ended.isAutoRenewing = false
        ended.retry = nil
        ended.nextProduct = nil
        ended.nextOffer = nil
        ended.increase = nil
        return ended
    }

    /// What the next period costs without an offer. A price that fell holds for who subscribed
    /// before, too; one that rose does not, unless its owner raised it for them.
    package static func price(
        of subscription: Subscription, _ plan: SubscriptionPlan
    ) -> Money {
        guard subscription.goesOn(as: plan) else { return plan.price }
        if let increase = subscription.increase, increase.isAgreed { return increase.price }
        let hasFallen = plan.price.milliunits < subscription.price.milliunits
        return hasFallen && !subscription.isRaised ? plan.price : subscription.price
    }

    /// What the next period costs, with the offer that it has. A higher price that waits for an
    /// answer counts while the subscription is paid, since it renews with that or not at all.
    package static func nextAmount(of subscription: Subscription, _ plan: SubscriptionPlan) -> Money
    {
        if let offer = subscription.nextOffer { return offer.price.in(plan.price.currency) }
        guard subscription.goesOn(as: plan) else { return plan.price }
        if let offer = subscription.offer?.next { return offer.price }
        let asked = subscription.phase == .active ? subscription.increase?.price : nil
        return asked ?? price(of: subscription, plan)
    }

    // MARK: -

    private static func reasonToEnd(
        _ subscription: Subscription, _ facts: RenewalFacts
    ) -> ExpirationReason? {
        // Another product has a price of its own, which its person saw.
        if let increase = subscription.increase, !increase.isAgreed, subscription.nextProduct == nil
        {
            // Who left before they answered did not leave for the price.
            let hasLeft = increase.consent == .pending && !subscription.isAutoRenewing
            return hasLeft ? .voluntary : .noPriceConsent
        }
        if !subscription.isAutoRenewing { return .voluntary }
        if facts.plan == nil { return .productUnavailable }
        if let most = facts.pace.renewalsMax, subscription.renewalCount >= most {
            return .voluntary
        }
        return nil
    }

    private static func charge(
        _ subscription: Subscription, _ facts: RenewalFacts, from start: Timestamp
    ) -> RenewalDecision {
        guard let plan = facts.plan else { return .expire(.productUnavailable) }
        let price = price(of: subscription, plan)
        let kept = SubscriptionPlan(
            product: plan.product, group: plan.group, level: plan.level, period: plan.period,
            price: price)
        if let offer = subscription.nextOffer {
            return .charge(
                SubscriptionPurchaseRules.firstBill(
                    kept, offer: offer, at: start, anchor: subscription.anchor, pace: facts.pace))
        }
        let offer = subscription.goesOn(as: plan) ? subscription.offer?.next : nil
        let (end, anchor) = BillingCalendar.period(
            of: plan.period.span, from: start, anchor: subscription.anchor, pace: facts.pace)
        return .charge(
            SubscriptionBill(
                plan: kept, amount: offer?.price ?? price, offer: offer, startsAt: start,
                endsAt: end, anchor: anchor))
    }
}

extension Subscription.OfferInUse {
    /// The same offer in the next period; nil when this is its last.
    fileprivate var next: Self? {
        guard mode == .payAsYouGo, periodsLeft > 0 else { return nil }
        return Self(kind: kind, id: id, mode: mode, price: price, periodsLeft: periodsLeft - 1)
    }
}

extension Subscription {
    /// Whether its next period is of the product that it has, for the same money: who moved to
    /// another storefront pays what it asks there.
    fileprivate func goesOn(as plan: SubscriptionPlan) -> Bool {
        plan.product == product && plan.price.currency == price.currency
    }

    /// This subscription with the period that was paid for.
    func beginning(_ bill: SubscriptionBill) -> Subscription {
        var next = self
        next.phase = .active
        next.product = bill.plan.product
        next.period = bill.plan.period
        next.startedAt = bill.startsAt
        next.expiresAt = bill.endsAt
        next.anchor = bill.anchor
        next.price = bill.plan.price
        next.isAutoRenewing = true
        next.nextProduct = nil
        next.nextOffer = nil
        next.offer = bill.offer
        next.increase = nil
        next.isRaised = false
        next.retry = nil
        return next
    }
}
