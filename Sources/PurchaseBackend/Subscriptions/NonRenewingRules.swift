package import StoreModel

/// One purchase of a non-renewing subscription.
package struct NonRenewingPurchase: Hashable, Sendable {
    package let purchasedAt: Timestamp
    package let quantity: Int64
    package let length: CalendarSpan

    package init(purchasedAt: Timestamp, quantity: Int64 = 1, length: CalendarSpan) {
        self.purchasedAt = purchasedAt
        self.quantity = quantity
        self.length = length
    }
}

/// The end of non-renewing subscriptions, which the store does not keep.
package enum NonRenewingRules {
    /// When the service ends that several purchases give; nil without any.
    ///
    /// They add up: what is bought while the service runs begins at its end, what is bought later
    /// begins when it is bought. The end stays within the years that can be written.
    package static func end(of purchases: [NonRenewingPurchase]) -> Timestamp? {
        var end: Timestamp?
        for purchase in purchases.sorted(by: { $0.purchasedAt < $1.purchasedAt }) {
            let start = max(end ?? purchase.purchasedAt, purchase.purchasedAt)
            // More than that is for ever.
            let count = Int(min(max(purchase.quantity, 1), 1_000))
            let span = purchase.length.times(count)
            end = min(start.adding(span), Timestamp.range.upperBound)
        }
        return end
    }
}
