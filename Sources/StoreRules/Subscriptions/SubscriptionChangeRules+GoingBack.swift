package import StoreModel

extension SubscriptionChangeRules {
    /// A period that was paid for, as its transaction has it.
    package struct Period: Hashable, Sendable {
        package let product: ProductID
        /// The renewal period of its product.
        package let period: RenewalPeriod
        package let startedAt: Timestamp
        package let expiresAt: Timestamp
        /// Whether it was renewed automatically rather than bought by hand.
        package let isRenewal: Bool
        /// How long it lasts where an offer says so; nil for the product's period.
        package let offerDuration: CalendarSpan?

        package init(
            product: ProductID, period: RenewalPeriod, startedAt: Timestamp, expiresAt: Timestamp,
            isRenewal: Bool, offerDuration: CalendarSpan? = nil
        ) {
            self.product = product
            self.period = period
            self.startedAt = startedAt
            self.expiresAt = expiresAt
            self.isRenewal = isRenewal
            self.offerDuration = offerDuration
        }
    }

    /// A subscription whose later periods were deleted: `last` is its newest, `earlier` are those before
    /// it, the oldest first. While the newest lasts, it is active, and renews without an offer if it
    /// did; otherwise it has ended.
    ///
    /// - Parameter price: The price of a renewal of the newest without an offer.
    package static func goneBack(
        _ subscription: Subscription, to last: Period, after earlier: [Period], price: Money,
        isRevoked: Bool, pace: RenewalPace, at now: Timestamp
    ) -> Subscription {
        var before = subscription
        before.product = last.product
        before.period = last.period
        before.price = price
        before.startedAt = last.startedAt
        before.expiresAt = last.expiresAt
        let count = Count(of: earlier + [last], pace)
        before.runStartedAt = count.runStartedAt ?? last.startedAt
        before.anchor = count.anchor ?? Subscription.Anchor(at: last.expiresAt, months: 0)
        before.renewalCount = count.renewals
        before.nextProduct = nil
        before.nextOffer = nil
        before.offer = nil
        before.increase = nil
        before.isRaised = false
        before.retry = nil
        if isRevoked {
            before.phase = .revoked
        } else if last.expiresAt > now {
            before.phase = .active
            return before
        } else {
            before.phase = .expired(.other)
        }
        before.isAutoRenewing = false
        return before
    }

    /// What a subscription counts from one period to the next, as at their sales.
    private struct Count {
        private(set) var runStartedAt: Timestamp?
        private(set) var anchor: Subscription.Anchor?
        private(set) var renewals = 0

        init(of periods: [Period], _ pace: RenewalPace) {
            var end: Timestamp?
            for period in periods {
                let isNewRun = end.map { period.startedAt > $0.adding(pace.runGap) } ?? true
                if !period.isRenewal, isNewRun { runStartedAt = period.startedAt }
                renewals = period.isRenewal ? renewals + 1 : 0
                let counted = BillingCalendar.period(
                    of: period.offerDuration ?? period.period.span, from: period.startedAt,
                    anchor: period.isRenewal ? anchor : nil, pace: pace)
                // One that was extended, or sold at another pace, begins the count anew.
                anchor = counted.end == period.expiresAt ? counted.anchor : nil
                end = period.expiresAt
            }
        }
    }
}
