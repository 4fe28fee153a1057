package import StoreModel

/// A family member's subscription as somebody has it with whom it is shared.
package enum SharedSubscription {
    /// What servers are told of it. `period` is the newest one that was shared, in a transaction of
    /// the holder; nothing of price and offers, which are between the store and whoever pays.
    ///
    /// - Parameter isNewest: whether that is the newest period of all.
    package static func seen(
        _ owned: Subscription, as original: TransactionID, product: ProductID,
        startedAt: Timestamp, expiresAt: Timestamp, isNewest: Bool, isTakenBack: Bool
    ) -> Subscription {
        var seen = Subscription(
            original: original, phase: owned.phase, product: product, period: owned.period,
            startedAt: startedAt, expiresAt: expiresAt, anchor: owned.anchor, price: owned.price,
            isAutoRenewing: owned.isAutoRenewing, nextProduct: owned.nextProduct,
            renewalCount: owned.renewalCount)
        guard isTakenBack || !isNewest else { return seen }
        seen.phase = isTakenBack ? .revoked : .expired(.other)
        seen.isAutoRenewing = false
        seen.nextProduct = nil
        return seen
    }
}
