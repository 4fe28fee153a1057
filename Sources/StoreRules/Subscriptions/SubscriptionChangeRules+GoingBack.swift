package import StoreModel

extension SubscriptionChangeRules {
    /// A period that a subscription goes back to, as its transaction has it.
    package struct Period: Hashable, Sendable {
        package let product: ProductID
        package let period: RenewalPeriod
        /// The price of a renewal without an offer.
        package let price: Money
        package let startedAt: Timestamp
        package let expiresAt: Timestamp
        package let isRevoked: Bool

        package init(
            product: ProductID, period: RenewalPeriod, price: Money, startedAt: Timestamp,
            expiresAt: Timestamp, isRevoked: Bool
        ) {
            self.product = product
            self.period = period
            self.price = price
            self.startedAt = startedAt
            self.expiresAt = expiresAt
            self.isRevoked = isRevoked
        }
    }

    /// A subscription whose later periods were deleted: the period before them is its newest. While
    /// that lasts, it is active, and renews without an offer if it did; otherwise it has ended.
    package static func goneBack(
        _ subscription: Subscription, to period: Period, withoutRenewals count: Int,
        at now: Timestamp
    ) -> Subscription {
        var before = subscription
        before.product = period.product
        before.period = period.period
        before.price = period.price
        before.startedAt = period.startedAt
        before.expiresAt = period.expiresAt
        before.runStartedAt = min(subscription.runStartedAt, period.startedAt)
        before.nextProduct = nil
        before.nextOffer = nil
        before.offer = nil
        before.increase = nil
        before.isRaised = false
        before.retry = nil
        before.renewalCount = max(0, subscription.renewalCount - count)
        if period.isRevoked {
            before.phase = .revoked
        } else if period.expiresAt > now {
            before.phase = .active
            return before
        } else {
            before.phase = .expired(.other)
        }
        before.isAutoRenewing = false
        return before
    }
}
