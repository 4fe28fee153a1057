package import StoreModel

/// What a product of a group asks of who subscribes to it now, in one storefront.
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

    /// Nil for a product that is no auto-renewable subscription of a group.
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
    /// What is charged; the offer's price when there is one.
    package let amount: Money
    /// The offer that the period has, with the periods that it has after this one.
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
