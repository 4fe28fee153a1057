import StoreDatabase
import StoreModel
import StoreRules

extension ReadScope {
    /// Whether the owner raised the price of a subscription above that of its plan since it was
    /// bought by hand; what costs no more than the plan is not looked up.
    borrowing func wasRaised(
        _ kept: KeptSubscription, above plan: SubscriptionPlan?
    ) throws -> Bool {
        let state = kept.state
        guard let plan, plan.product == state.product,
            plan.price.currency == state.price.currency,
            plan.price.milliunits < state.price.milliunits
        else { return false }
        return try row(
            """
            SELECT 1 FROM event JOIN store_transaction t ON t.id = event.transaction_id
            WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.kind = ?3
                AND t.original_id = ?4 AND t.product_id = ?5 AND t.id >= (
                    SELECT max(id) FROM store_transaction
                    WHERE account_id = ?1 AND app_id = ?2 AND original_id = ?4
                        AND is_renewal = 0 AND restore_id IS NULL AND kind <> 'consumable')
            LIMIT 1
            """,
            [
                .integer(kept.account.rawValue), .integer(kept.app.rawValue),
                .text(Event.Kind.priceIncreased.rawValue), .integer(kept.original.rawValue),
                .text(state.product.rawValue),
            ]) != nil
    }
}
