import StoreDatabase

extension WorldSchema {
    /// Locks that the owner sets, guesses at names that no account has, and the way from an
    /// account to its devices.
    static let accountLocks = Migration(
        number: 3,
        statements: [
            // A lock has a reason, which may be empty, and ends by the real clock or not at all.
            "ALTER TABLE account ADD COLUMN lock_reason TEXT",
            "ALTER TABLE account ADD COLUMN lock_until_real_ms BIGINT",
            // Unknown names are locked like known ones, so that a lock tells nothing. Only a
            // digest is kept: people type passwords into the wrong field.
            """
            CREATE TABLE unknown_name (
                digest BLOB PRIMARY KEY,
                failures BIGINT NOT NULL,
                locked_until_real_ms BIGINT,
                changed_real_ms BIGINT NOT NULL
            )
            """,
            "CREATE INDEX unknown_name_by_change ON unknown_name (changed_real_ms)",
            "CREATE INDEX device_token_by_account ON device_token (account_id)",
        ])
}
