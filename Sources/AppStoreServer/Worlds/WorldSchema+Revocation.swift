import StoreDatabase

extension WorldSchema {
    /// Purchases that were taken back. What the purchase cost stays as it was recorded: giving
    /// money back is another fact.
    static let revocations = Migration(
        number: 11,
        statements: [
            """
            CREATE TABLE revocation (
                transaction_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
                reason TEXT NOT NULL CHECK (reason IN ('issue', 'other')),
                at_ms BIGINT NOT NULL
            )
            """
        ])
}
