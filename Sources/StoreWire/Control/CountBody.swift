package import StoreModel

/// How many there are, as far as was counted: only so many rows are looked at.
package struct CountBody: Codable, Hashable, Sendable {
    package let count: Int
    /// Whether these are all; otherwise there may be more.
    package let isExact: Bool

    package init(count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }
}

/// How many subscriptions are in each state, as far as was counted.
package struct SubscriptionCountsBody: Codable, Hashable, Sendable {
    package let active: Int
    package let gracePeriod: Int
    package let billingRetry: Int
    package let expired: Int
    package let revoked: Int
    /// Whether these are all; otherwise there may be more.
    package let isExact: Bool

    /// A state that is not among the counts has none.
    package init(_ counts: [Subscription.Phase.Name: Int], isExact: Bool) {
        func count(_ name: Subscription.Phase.Name) -> Int { counts[name] ?? 0 }
        active = count(.active)
        gracePeriod = count(.gracePeriod)
        billingRetry = count(.billingRetry)
        expired = count(.expired)
        revoked = count(.revoked)
        self.isExact = isExact
    }
}
