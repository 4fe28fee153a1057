import StoreDatabase

extension WorldSchema {
    /// Families, and what their members have of one another.
    static let families = Migration(
        number: 20,
        statements: [
            "CREATE TABLE family (number BIGINT PRIMARY KEY, environment TEXT NOT NULL, "
                + "made_ms BIGINT NOT NULL)",
            // An account is in one family at most.
            """
            CREATE TABLE family_member (
                account_id BIGINT PRIMARY KEY REFERENCES account (id),
                family_number BIGINT NOT NULL REFERENCES family (number),
                position BIGINT NOT NULL,
                is_organiser BIGINT NOT NULL,
                shares_purchases BIGINT NOT NULL,
                joined_ms BIGINT NOT NULL
            )
            """,
            "CREATE INDEX family_member_by_family ON family_member (family_number, position)",
            // Which transaction of a family member it shares, and that one's original; both null
            // in what the account bought itself.
            "ALTER TABLE store_transaction ADD COLUMN shared_id BIGINT",
            "ALTER TABLE store_transaction ADD COLUMN shared_original_id BIGINT",
            """
            CREATE INDEX transaction_copies ON store_transaction (shared_id)
                WHERE shared_id IS NOT NULL
            """,
            """
            CREATE INDEX transaction_shared
                ON store_transaction (account_id, shared_original_id, id)
                WHERE shared_original_id IS NOT NULL
            """,
        ])
}
