package import StoreModel

/// The facts when a subscription is due.
package struct RenewalFacts: Hashable, Sendable {
    /// The plan of the next period, of the current or the chosen product; nil when it is not for
    /// sale.
    package let plan: SubscriptionPlan?
    package let pace: RenewalPace
    /// Nil when the app does not serve unpaid subscriptions.
    package let gracePeriod: GracePeriod?

    package init(plan: SubscriptionPlan?, pace: RenewalPace, gracePeriod: GracePeriod?) {
        self.plan = plan
        self.pace = pace
        self.gracePeriod = gracePeriod
    }
}

/// The decision on a due subscription.
package enum RenewalDecision: Hashable, Sendable {
    /// It is not due yet, or never will be again.
    case nothing
    /// This must be paid; `RenewalRules.paid` and `unpaid` give the result.
    case charge(SubscriptionBill)
    /// Nothing can be charged now, and it is still served; it is tried again.
    case tryLater
    case endGracePeriod
    case expire(ExpirationReason)
}

/// The life of a subscription after it was bought: a state and an event give the next state.
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
            // The days already served belong to the paid period, unless it would be over by now:
            // another product was chosen, or the pace changed since.
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
            // A price that was not agreed to was not charged, and is still asked about.
            if increase?.isAgreed == false { renewed.increase = increase }
        }
        renewed.renewalCount += 1
        return renewed
    }

    /// The due payment was not made at this moment, or could not be attempted.
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
            // As many retries as when they began, whatever the pace is now.
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

    /// The days of grace are over; the payment is still retried.
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

    /// The price of the next period without an offer. A lower price also applies to earlier
    /// subscribers; a higher one does not, unless the owner raised it for them.
    package static func price(
        of subscription: Subscription, _ plan: SubscriptionPlan
    ) -> Money {
        guard subscription.goesOn(as: plan) else { return plan.price }
        if let increase = subscription.increase, increase.isAgreed { return increase.price }
        let hasFallen = plan.price.milliunits < subscription.price.milliunits
        return hasFallen && !subscription.isRaised ? plan.price : subscription.price
    }

    /// The price of the next period, with its offer. A higher price that waits for an answer counts
    /// while the subscription is paid, since it renews at that price or not at all.
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
        // Another product has its own price, which the customer saw.
        if let increase = subscription.increase, !increase.isAgreed, subscription.nextProduct == nil
        {
            // A customer who turned renewal off before answering did not leave because of the
            // price.
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
        return Self(
            kind: kind, id: id, mode: mode, price: price, periodsLeft: periodsLeft - 1,
            duration: duration)
    }
}

extension Subscription {
    /// Whether its next period has the same product and currency: after a move to another
    /// storefront, that storefront's price applies.
    fileprivate func goesOn(as plan: SubscriptionPlan) -> Bool {
        plan.product == product && plan.price.currency == price.currency
    }

    /// This subscription with the paid period.
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
