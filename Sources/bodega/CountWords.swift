import StoreWire

/// Counts as printed.
enum CountWords {
    /// Such as `12`, or `10000+` where there may be more.
    static func text(_ count: CountBody) -> String { text(count.count, count.isExact) }

    /// Such as `3 active, 1 expired`; states without any are left out.
    static func text(_ counts: SubscriptionCountsBody) -> String {
        let states = [
            (counts.active, "active"), (counts.gracePeriod, "in their grace period"),
            (counts.billingRetry, "in billing retry"), (counts.expired, "expired"),
            (counts.revoked, "revoked"),
        ]
        let some = states.filter { $0.0 > 0 }.map { "\(text($0.0, counts.isExact)) \($0.1)" }
        return some.isEmpty ? "0" : some.joined(separator: ", ")
    }

    private static func text(_ count: Int, _ isExact: Bool) -> String {
        isExact ? "\(count)" : "\(count)+"
    }
}
