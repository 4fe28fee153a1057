import StoreDatabase

extension WorldSchema {
    /// Whether its owner raised what a subscription costs, which was read from its events before;
    /// and what was chosen is another product than it has.
    static let raisedPrices = Migration(
        number: 24,
        statements: [
            "ALTER TABLE subscription ADD COLUMN is_raised BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE subscription SET is_raised = 1 WHERE EXISTS (
                SELECT 1 FROM event JOIN store_transaction t ON t.id = event.transaction_id
                WHERE event.account_id = subscription.account_id
                    AND event.app_id = subscription.app_id AND event.kind = 'priceIncreased'
                    AND t.original_id = subscription.original_id
                    AND t.product_id = subscription.product_id AND t.id >= (
                        SELECT max(id) FROM store_transaction
                        WHERE account_id = subscription.account_id
                            AND app_id = subscription.app_id
                            AND original_id = subscription.original_id
                            AND is_renewal = 0 AND restore_id IS NULL
                            AND kind <> 'consumable'))
            """,
            "UPDATE subscription SET next_product_id = NULL WHERE next_product_id = product_id",
        ])
}
