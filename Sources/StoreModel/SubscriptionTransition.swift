/// A subscription before and after something happened to it.
package struct SubscriptionTransition: Hashable, Sendable {
    /// Nil when it began: the account had never subscribed to a product of the group.
    package let before: Subscription?
    package let after: Subscription

    package init(from before: Subscription?, to after: Subscription) {
        self.before = before
        self.after = after
    }

    /// Whether the period was paid after its payment had failed.
    package var isRecovery: Bool {
        switch before?.phase {
        case .gracePeriod, .billingRetry: true
        case .active, .expired, .revoked, nil: false
        }
    }

    /// Whether renewal is on now and was not, or the other way round; nil when it stayed as it was.
    package var turnedRenewal: Bool? {
        guard let before, before.isAutoRenewing != after.isAutoRenewing else { return nil }
        return after.isAutoRenewing
    }

    /// The other way in which the customer chose that it renews; nil when that stayed the same.
    package var choice: RenewalChoice? {
        guard let before else { return nil }
        let isOther = after.nextProduct != before.nextProduct
        if let offer = after.nextOffer, offer.kind.isRedeemed,
            isOther || offer != before.nextOffer
        {
            return .offer(offer, with: after.nextProduct)
        }
        guard isOther else { return nil }
        return after.nextProduct.map { .other($0) } ?? .current
    }

    /// Whether the customer is asked again about a price that they had declined.
    package var asksAgain: Bool {
        before?.increase?.consent == .declined && after.increase?.consent == .pending
    }
}

/// What a customer chose for the next renewal.
package enum RenewalChoice: Hashable, Sendable {
    /// Another product takes the current one's place then, perhaps with its introductory offer.
    case other(ProductID)
    /// The current product, after another one had been chosen.
    case current
    /// An offer that was redeemed begins then, with another product, or with nil for the current
    /// one.
    case offer(SubscriptionOffer, with: ProductID?)
}
