import StoreDatabase

extension WorldSchema {
    /// Auto-renewable subscriptions, their periods among the transactions, and how fast they renew.
    static let subscriptions = Migration(
        number: 14, statements: periods + [subscription] + dueWork + paces)

    // Of a transaction that paid for a period; null in all others.
    private static let periods = [
        "ALTER TABLE store_transaction ADD COLUMN subscription_group TEXT",
        "ALTER TABLE store_transaction ADD COLUMN expires_ms BIGINT",
        "ALTER TABLE store_transaction ADD COLUMN is_renewal BIGINT",
        "ALTER TABLE store_transaction ADD COLUMN offer_kind TEXT",
        "ALTER TABLE store_transaction ADD COLUMN offer_id TEXT",
        "ALTER TABLE store_transaction ADD COLUMN offer_mode TEXT",
        // When another product took its place before its end.
        "ALTER TABLE store_transaction ADD COLUMN upgraded_ms BIGINT",
        // What of a charge is given back; the charge stays as it was recorded.
        """
        CREATE TABLE refund (
            number BIGINT PRIMARY KEY,
            transaction_id BIGINT NOT NULL REFERENCES store_transaction (id),
            cause TEXT NOT NULL CHECK (cause IN ('upgrade')),
            milliunits BIGINT NOT NULL CHECK (milliunits > 0),
            currency TEXT NOT NULL,
            at_ms BIGINT NOT NULL,
            UNIQUE (transaction_id, cause)
        )
        """,
    ]

    // One row for an account, an app and a group, from the first purchase on. `original_id` is
    // that purchase, `newest_id` the transaction of the newest period. Renewals are delivered as
    // purchases of the device on which it was bought by hand last.
    private static let subscription = """
        CREATE TABLE subscription (
            original_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            account_id BIGINT NOT NULL REFERENCES account (id),
            subscription_group TEXT NOT NULL,
            newest_id BIGINT NOT NULL REFERENCES store_transaction (id),
            device_id BIGINT NOT NULL REFERENCES device (id),
            application_username TEXT,
            fails_billing BIGINT NOT NULL,
            phase TEXT NOT NULL
                CHECK (phase IN ('active', 'gracePeriod', 'billingRetry', 'expired', 'revoked')),
            expiration_reason BIGINT,
            grace_until_ms BIGINT,
            product_id TEXT NOT NULL,
            period TEXT NOT NULL,
            first_ms BIGINT NOT NULL,
            started_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            anchor_ms BIGINT NOT NULL,
            anchor_months BIGINT NOT NULL,
            price_milliunits BIGINT NOT NULL,
            currency TEXT NOT NULL,
            is_auto_renewing BIGINT NOT NULL,
            next_product_id TEXT,
            next_offer TEXT,
            offer_kind TEXT,
            offer_id TEXT,
            offer_mode TEXT,
            offer_milliunits BIGINT,
            offer_periods_left BIGINT,
            increase_milliunits BIGINT,
            increase_consent TEXT,
            retry_ends_ms BIGINT,
            retry_next_ms BIGINT,
            renewal_count BIGINT NOT NULL,
            due_ms BIGINT,
            UNIQUE (account_id, app_id, subscription_group),
            CHECK ((phase = 'expired') = (expiration_reason IS NOT NULL)),
            CHECK ((phase = 'gracePeriod') = (grace_until_ms IS NOT NULL)),
            CHECK ((phase IN ('expired', 'revoked')) = (due_ms IS NULL))
        )
        """

    private static let dueWork = [
        """
        CREATE INDEX subscription_due ON subscription (due_ms, original_id)
            WHERE due_ms IS NOT NULL
        """
    ]

    // The sandbox renews as Apple's does unless its owner says otherwise.
    private static let paces = [
        "ALTER TABLE environment ADD COLUMN pace TEXT NOT NULL DEFAULT 'calendar'",
        "UPDATE environment SET pace = 'sandboxFiveMinutes' WHERE kind = 'sandbox'",
        // Days for which an app serves who did not pay; null for none.
        "ALTER TABLE app ADD COLUMN grace_days BIGINT",
    ]
}
