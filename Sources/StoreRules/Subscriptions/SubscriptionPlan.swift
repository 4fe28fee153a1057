package import StoreModel

/// The current terms of a group's product for a new subscriber, in one storefront.
package struct SubscriptionPlan: Hashable, Sendable {
    package let product: ProductID
    package let group: String
    /// The rank in the group, 1 for the highest; plans without one rank below all others.
    package let level: Int?
    package let period: RenewalPeriod
    package let price: Money

    package init(
        product: ProductID, group: String, level: Int?, period: RenewalPeriod, price: Money
    ) {
        self.product = product
        self.group = group
        self.level = level
        self.period = period
        self.price = price
    }

    /// Nil for a product that is not an auto-renewable subscription of a group.
    package init?(_ product: Product, in storefront: Storefront, at now: Timestamp) {
        guard product.kind == .autoRenewable, let group = product.subscriptionGroup,
            let period = product.renewalPeriod
        else { return nil }
        self.init(
            product: product.id, group: group, level: product.groupLevel, period: period,
            price: PriceRules.price(of: product, in: storefront, at: now))
    }
}

/// One payment for one period.
package struct SubscriptionBill: Hashable, Sendable {
    package let plan: SubscriptionPlan
    /// The charged amount; the offer's price when there is one.
    package let amount: Money
    /// The offer of the period, with its remaining periods.
    package let offer: Subscription.OfferInUse?
    package let startsAt: Timestamp
    package let endsAt: Timestamp
    package let anchor: Subscription.Anchor

    package init(
        plan: SubscriptionPlan, amount: Money, offer: Subscription.OfferInUse?,
        startsAt: Timestamp, endsAt: Timestamp, anchor: Subscription.Anchor
    ) {
        self.plan = plan
        self.amount = amount
        self.offer = offer
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.anchor = anchor
    }
}
