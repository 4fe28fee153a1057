package import StoreModel

/// The changes that customers and the shop's owner make to a subscription: each gives the next
/// state, or refuses.
package enum SubscriptionChangeRules {
    /// It was bought: for the first time, again, or as another product of its group. `known` is the
    /// account's subscription in the group; a gap longer than `pace.runGap` ends its run.
    package static func bought(
        _ bill: SubscriptionBill, as first: TransactionID, known: Subscription?, pace: RenewalPace
    ) -> Subscription {
        var bought =
            known?.beginning(bill)
            ?? Subscription(
                original: first, product: bill.plan.product, period: bill.plan.period,
                startedAt: bill.startsAt, expiresAt: bill.endsAt, anchor: bill.anchor,
                price: bill.plan.price, offer: bill.offer)
        bought.renewalCount = 0
        if let known, bill.startsAt > known.expiresAt.adding(pace.runGap) {
            bought.runStartedAt = bill.startsAt
        }
        return bought
    }

    /// Renewal is turned on or off; a chosen product and an announced price stay.
    package static func setAutoRenew(
        _ isOn: Bool, _ subscription: Subscription, at now: Timestamp
    ) throws(SubscriptionRefusal) -> Subscription {
        guard subscription.isOpen else { throw .ended }
        return subscription.renewing(isOn, at: now)
    }

    /// Another product, nil for the current one, is chosen for the next renewal, with or without an
    /// offer; this also turns renewal on again. Choosing the same product again keeps its offer.
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

    /// The customer answers to a price that needs consent; the first answer stands.
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

    /// The owed amount is charged at this moment, because payments work again.
    package static func payingAgain(
        _ subscription: Subscription, at now: Timestamp
    ) -> Subscription {
        var changed = subscription
        if let retry = subscription.retry { changed.retry?.nextAt = min(retry.nextAt, now) }
        return changed
    }

    /// The current period ends later, without a charge.
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

    /// Its newest period is revoked at this moment: it ends, and does not renew. If it had ended
    /// before, it ended for another reason.
    package static func revoked(_ subscription: Subscription) -> Subscription {
        guard subscription.isOpen else { return subscription }
        var ended = RenewalRules.expired(subscription, .other)
        ended.phase = .revoked
        return ended
    }

    /// The revocation was a mistake: it is served until its paid end, and renewal stays off.
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
    /// With renewal on or off. A retry that was skipped while it was off is due now, not in the
    /// past.
    fileprivate func renewing(_ isOn: Bool, at now: Timestamp) -> Subscription {
        var changed = self
        changed.isAutoRenewing = isOn
        // A customer who turns renewal on again is asked about the price once more.
        if isOn, increase?.consent == .declined { changed.increase?.consent = .pending }
        if let retry { changed.retry?.nextAt = max(retry.nextAt, now) }
        return changed
    }
}
