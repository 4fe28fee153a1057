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

/// The terms on which a non-renewing subscription is sold; a grant keeps them.
package struct NonRenewingTerms: Hashable, Sendable {
    /// Nil when the backend does not track its end.
    package let length: CalendarSpan?
    package let service: String
}

/// The end of non-renewing subscriptions, which the store does not track.
package enum NonRenewingRules {
    /// When the service from several purchases ends; nil without any.
    ///
    /// They add up: a purchase made while the service runs begins at its end; a later one begins
    /// when it is made. Months without a gap are counted from the first day, then days, so that a
    /// short month does not shorten the next. The end stays within the years that can be
    /// represented.
    package static func end(of purchases: [NonRenewingPurchase]) -> Timestamp? {
        var run: Run?
        for purchase in purchases.sorted(by: { $0.purchasedAt < $1.purchasedAt }) {
            var joined = Run(start: purchase.purchasedAt)
            if let run, purchase.purchasedAt <= run.end { joined = run }
            guard joined.end < Timestamp.range.upperBound else { return joined.end }
            joined.add(purchase)
            run = joined
        }
        return run?.end
    }

    /// Purchases that follow each other without a gap.
    private struct Run {
        let start: Timestamp
        private var months = 0
        private var days = 0

        init(start: Timestamp) { self.start = start }

        mutating func add(_ purchase: NonRenewingPurchase) {
            // More than that lasts for ever.
            let count = Int(min(max(purchase.quantity, 1), 1_000))
            switch purchase.length.times(count) {
            case .months(let more): months += more
            case .days(let more): days += more
            }
        }

        var end: Timestamp {
            let end = start.adding(.months(months)).adding(.days(days))
            return min(end, Timestamp.range.upperBound)
        }
    }
}
