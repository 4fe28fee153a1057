import StoreDatabase
import StoreModel
import StoreRules

// The next renewal of a subscription: its price and offers by the catalogue of a moment, and the
// extensions that moved it.
extension ReadScope {
    /// The price of the next renewal; nil when it does not renew.
    borrowing func renewalPrice(
        of kept: SubscriptionRecord, at now: Timestamp
    ) throws -> Money? {
        let state = kept.state
        guard state.isAutoRenewing else { return nil }
        let next = state.nextProduct ?? state.product
        let storefront = try settling(kept).storefront
        guard let product = try shownProduct(next, of: kept.app, at: now),
            product.state == .clearedForSale,
            let plan = SubscriptionPlan(product, in: storefront, at: now)
        else { return next == state.product ? state.increase?.price ?? state.price : nil }
        return RenewalRules.nextAmount(of: state, plan)
    }

    /// The win-back offers that the customer may have now, in the order of the catalogue.
    borrowing func winBacks(of kept: SubscriptionRecord) throws -> [SubscriptionOffer] {
        let product = try product(kept.state.product, of: kept.app)
        return SubscriptionPurchaseRules.winBacks(
            of: product?.state == .clearedForSale ? product?.offers ?? [] : [], kept.state)
    }

    /// All extensions of a subscription, each with the identifier of the app's server's request,
    /// nil for one by the owner.
    borrowing func extensions(
        of kept: SubscriptionRecord
    ) throws -> [(request: String?, at: Timestamp)] {
        try rows(
            """
            SELECT subject, at_ms FROM event
            JOIN store_transaction ON store_transaction.id = transaction_id
            WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.kind = ?3
                AND original_id = ?4
            """, [kept.account, kept.app, Event.Kind.extended, kept.original]
        ).map { (try $0["subject"], try $0["at_ms"]) }
    }
}
