import StoreDatabase

extension BackendSchema {
    /// On which terms subscriptions were sold: the periods that had an offer,
    /// what the store told of a grace period, and what a non-renewing one gives.
    static let seventh = Migration(
        number: 7,
        statements: [
            // Whether one used a signature is decided once, when it is heard of. By the store's
            // clock; original and dates of those from before are not known until they are heard
            // of again.
            """
            CREATE TABLE offer_periods (
                environment TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                original_transaction TEXT,
                product_id TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                begins_at INTEGER,
                ends_at INTEGER,
                PRIMARY KEY (environment, transaction_id)
            ) STRICT
            """,
            """
            CREATE INDEX offer_periods_by_original
                ON offer_periods (environment, original_transaction)
            """,
            """
            INSERT INTO offer_periods (environment, transaction_id, product_id, offer_id)
            SELECT used_environment, used_transaction, product_id, offer_id
            FROM offer_signatures WHERE used_transaction IS NOT NULL
            """,
            // Of those from before, the style of the receipt says whether the store told it.
            """
            ALTER TABLE subscriptions
                ADD COLUMN grace_is_estimated INTEGER NOT NULL DEFAULT 0
            """,
            """
            UPDATE subscriptions SET grace_is_estimated = 1
            WHERE grace_ends_at IS NOT NULL AND receipt_sha256 IN (
                SELECT sha256 FROM latest_receipts WHERE style = 'transaction')
            """,
            // What a non-renewing subscription gives, as its length: the product may leave the list.
            "ALTER TABLE grants ADD COLUMN service TEXT",
            "ALTER TABLE offer_signatures ADD COLUMN signed_again INTEGER NOT NULL DEFAULT 0",
            // Whether the store called it expired, which the style of iOS 6 does.
            "ALTER TABLE subscriptions ADD COLUMN is_over INTEGER NOT NULL DEFAULT 0",
            """
            UPDATE subscriptions SET is_over = 1
            WHERE answered_at >= expires_at AND receipt_sha256 IN (
                SELECT sha256 FROM latest_receipts WHERE style = 'transaction')
            """,
            // Whether answered_at was told; likewise.
            "ALTER TABLE subscriptions ADD COLUMN clock_is_estimated INTEGER NOT NULL DEFAULT 0",
            """
            UPDATE subscriptions SET clock_is_estimated = 1
            WHERE receipt_sha256 IN (
                SELECT sha256 FROM latest_receipts WHERE style = 'transaction')
            """,
        ])
}
