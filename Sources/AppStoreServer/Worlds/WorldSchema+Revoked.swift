import StoreDatabase

extension WorldSchema {
    /// What was revoked in worlds whose place a world took, which it may not know itself: a
    /// snapshot that is restored later must not bring it back. A digest is of one secret only.
    static let revokedSecrets = Migration(
        number: 6,
        statements: [
            """
            CREATE TABLE revoked_secret (
                digest BLOB PRIMARY KEY,
                revoked_real_ms BIGINT NOT NULL
            )
            """,
            "CREATE INDEX shared_secret_by_digest ON shared_secret (digest)",
        ])
}
