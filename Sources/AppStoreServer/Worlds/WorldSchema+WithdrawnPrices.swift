import StoreDatabase

extension WorldSchema {
    /// Questions about prices that nobody need answer any more.
    static let withdrawnPrices = Migration(
        number: 18,
        statements: [
            "ALTER TABLE price_consent ADD COLUMN withdrawn_ms BIGINT",
            "DROP INDEX price_consent_pending",
            """
            CREATE UNIQUE INDEX price_consent_pending
                ON price_consent (account_id, app_id, product_id)
                WHERE answer IS NULL AND withdrawn_ms IS NULL
            """,
        ])
}
