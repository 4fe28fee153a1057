package import StoreModel

/// A family member's subscription, as seen by a member with whom it is shared.
package enum SharedSubscription {
    /// What servers see of it. `period` is the newest shared one, in a transaction of the holder,
    /// without price and offers, which are between the store and the payer.
    ///
    /// - Parameter since: when it was first shared.
    /// - Parameter isNewest: whether that is the newest period of all.
    package static func seen(
        _ owned: Subscription, as original: TransactionID, product: ProductID, since: Timestamp,
        startedAt: Timestamp, expiresAt: Timestamp, isNewest: Bool, isTakenBack: Bool
    ) -> Subscription {
        var seen = Subscription(
            original: original, runStartedAt: max(owned.runStartedAt, since), phase: owned.phase,
            product: product, period: owned.period,
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
