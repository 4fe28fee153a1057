package import StoreModel

/// What people and the shop's owner change in a subscription: each gives the state after it, or
/// refuses.
package enum SubscriptionChangeRules {
    /// It was bought: for the first time, anew, or as another product of its group. `known` is the
    /// group's subscription of the account.
    package static func bought(
        _ bill: SubscriptionBill, as first: TransactionID, known: Subscription?
    ) -> Subscription {
        var bought =
            known?.beginning(bill)
            ?? Subscription(
                original: first, product: bill.plan.product, period: bill.plan.period,
                startedAt: bill.startsAt, expiresAt: bill.endsAt, anchor: bill.anchor,
                price: bill.plan.price, offer: bill.offer)
        bought.renewalCount = 0
        return bought
    }

    /// Renewal is turned on or off; a chosen product and a price that was told stay.
    package static func setAutoRenew(
        _ isOn: Bool, _ subscription: Subscription, at now: Timestamp
    ) throws(SubscriptionRefusal) -> Subscription {
        guard subscription.isOpen else { throw .ended }
        return subscription.renewing(isOn, at: now)
    }

    /// Another product, nil for the present one, is chosen for the next renewal, with an offer or
    /// without; it renews then also when that had been turned off. What was chosen before keeps its
    /// offer when it is chosen once more.
    package static func choose(
        _ product: ProductID?, offer: SubscriptionOffer? = nil, _ subscription: Subscription,
        at now: Timestamp
    ) throws(SubscriptionRefusal) -> Subscription {
        guard subscription.isOpen else { throw .ended }
        var changed = subscription.renewing(true, at: now)
        changed.nextProduct = product == subscription.product ? nil : product
        if offer != nil || changed.nextProduct != subscription.nextProduct {
            changed.nextOffer = offer
        }
        return changed
    }

    /// The customer is notified of a higher price. With a question, which needs their consent, the
    /// subscription ends unless they agree.
    package static func increasePrice(
        to price: Money, question: Int64?, _ subscription: Subscription
    ) throws(SubscriptionRefusal) -> Subscription {
        guard subscription.isOpen else { throw .ended }
        var changed = subscription
        changed.increase = Subscription.PriceIncrease(
            price: price, consent: question == nil ? .notNeeded : .pending, question: question)
        return changed
    }

    /// Its person answers to a price that needs their consent; the first answer stands.
    package static func answer(
        _ answer: PriceConsent.Answer, _ subscription: Subscription
    ) throws(SubscriptionRefusal) -> Subscription {
        guard subscription.isOpen, let increase = subscription.increase else { throw .ended }
        guard increase.consent == .pending else { return subscription }
        var changed = subscription
        switch answer {
        case .agreed: changed.increase?.consent = .agreed
        case .declined:
            changed.increase?.consent = .declined
            changed.isAutoRenewing = false
        }
        return changed
    }

    /// What is owed is tried at this moment, because payments are made again.
    package static func payingAgain(
        _ subscription: Subscription, at now: Timestamp
    ) -> Subscription {
        var changed = subscription
        if let retry = subscription.retry { changed.retry?.nextAt = min(retry.nextAt, now) }
        return changed
    }

    /// The present period ends later, without a charge.
    package static func extend(
        byDays days: Int, _ subscription: Subscription
    ) throws(SubscriptionRefusal) -> Subscription {
        guard case .active = subscription.phase else { throw .ended }
        var changed = subscription
        changed.expiresAt = subscription.expiresAt.adding(.days(days))
        // Months are counted from the new end.
        changed.anchor = Subscription.Anchor(at: changed.expiresAt, months: 0)
        return changed
    }

    /// Its newest period is taken back at this moment: it ends, and does not renew. What had ended
    /// before ended for another reason.
    package static func revoked(_ subscription: Subscription) -> Subscription {
        guard subscription.isOpen else { return subscription }
        var ended = RenewalRules.expired(subscription, .other)
        ended.phase = .revoked
        return ended
    }

    /// The taking back was a mistake: it is served until the end that was paid for, and stays
    /// turned off.
    package static func reversed(
        _ subscription: Subscription, at now: Timestamp
    ) -> Subscription {
        guard subscription.phase == .revoked else { return subscription }
        var back = subscription
        back.phase = now < subscription.expiresAt ? .active : .expired(.voluntary)
        return back
    }
}

extension Subscription {
    /// With renewal on or off. A try to be paid that was passed over while it was off is due now,
    /// not in the past.
    fileprivate func renewing(_ isOn: Bool, at now: Timestamp) -> Subscription {
        var changed = self
        changed.isAutoRenewing = isOn
        // Who goes on after all is asked about the price once more.
        if isOn, increase?.consent == .declined { changed.increase?.consent = .pending }
        if let retry { changed.retry?.nextAt = max(retry.nextAt, now) }
        return changed
    }
}
