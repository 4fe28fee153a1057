import StoreDatabase

extension WorldSchema {
    /// Money that was asked back, and what became of it. A purchase has one request at most.
    static let refundRequests = Migration(
        number: 21,
        statements: [
            // The answer's columns are null together until the app has answered, those of the
            // grant until it is granted.
            """
            CREATE TABLE refund_request (
                transaction_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
                reason TEXT NOT NULL,
                requested_ms BIGINT NOT NULL,
                answered_ms BIGINT,
                consented BIGINT,
                consumed_percentage BIGINT,
                delivery TEXT,
                preference TEXT,
                sampled BIGINT,
                granted_ms BIGINT,
                grant_type TEXT,
                grant_percentage BIGINT CHECK (grant_percentage BETWEEN 0 AND 100000),
                grant_milliunits BIGINT CHECK (grant_milliunits >= 0),
                currency TEXT,
                declined_ms BIGINT,
                reversed_ms BIGINT,
                CHECK ((answered_ms IS NULL) = (delivery IS NULL)),
                CHECK ((answered_ms IS NULL) = (consented IS NULL)),
                CHECK ((answered_ms IS NULL) = (sampled IS NULL)),
                CHECK ((granted_ms IS NULL) = (grant_type IS NULL)),
                CHECK ((granted_ms IS NULL) = (grant_percentage IS NULL)),
                CHECK ((granted_ms IS NULL) = (grant_milliunits IS NULL)),
                CHECK ((granted_ms IS NULL) = (currency IS NULL)),
                CHECK (declined_ms IS NULL OR granted_ms IS NULL),
                CHECK (reversed_ms IS NULL OR granted_ms IS NOT NULL)
            )
            """,
            // The request that took it back; null for what was taken back by hand. Its reversal
            // takes the row away, and the request says that it was there.
            """
            ALTER TABLE revocation
                ADD COLUMN refund_id BIGINT REFERENCES refund_request (transaction_id)
            """,
        ])
}
