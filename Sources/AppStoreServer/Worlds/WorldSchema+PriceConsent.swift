import StoreDatabase

extension WorldSchema {
    /// Whether accounts go on with subscriptions at a higher price. What a renewal makes of an
    /// answer is the renewal's business; here stands what was asked and answered.
    static let priceConsents = Migration(
        number: 12,
        statements: [
            """
            CREATE TABLE price_consent (
                number BIGINT PRIMARY KEY,
                account_id BIGINT NOT NULL REFERENCES account (id),
                app_id BIGINT NOT NULL REFERENCES app (id),
                product_id TEXT NOT NULL,
                old_milliunits BIGINT NOT NULL,
                new_milliunits BIGINT NOT NULL,
                currency TEXT NOT NULL,
                asked_ms BIGINT NOT NULL,
                answer TEXT CHECK (answer IN ('agreed', 'declined')),
                answered_ms BIGINT,
                CHECK (new_milliunits > old_milliunits),
                CHECK ((answer IS NULL) = (answered_ms IS NULL))
            )
            """,
            """
            CREATE UNIQUE INDEX price_consent_pending
                ON price_consent (account_id, app_id, product_id) WHERE answer IS NULL
            """,
            """
            CREATE INDEX price_consent_by_product
                ON price_consent (account_id, app_id, product_id, number)
            """,
        ])
}
