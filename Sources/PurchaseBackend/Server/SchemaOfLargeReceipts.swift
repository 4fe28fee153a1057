import StoreDatabase

extension BackendSchema {
    /// The large receipts of which nothing was granted, each with the user who sent it first.
    ///
    /// Those that were refused before are left out: their number is bounded, and they would keep
    /// out what comes.
    static let fourth = Migration(
        number: 4,
        statements: [
            """
            CREATE TABLE large_receipts (
                sha256 BLOB NOT NULL PRIMARY KEY REFERENCES receipts (sha256),
                user_id TEXT NOT NULL REFERENCES users (id),
                byte_count INTEGER NOT NULL
            ) STRICT
            """,
            """
            INSERT INTO large_receipts (sha256, user_id, byte_count)
            SELECT r.sha256, min(s.user_id), length(r.bytes)
            FROM receipts r JOIN submissions s ON s.receipt_sha256 = r.sha256
            WHERE s.next_try_at IS NOT NULL AND length(r.bytes) > 65536
                AND NOT EXISTS (SELECT 1 FROM submissions g WHERE g.receipt_sha256 = r.sha256
                    AND g.state IN ('granted', 'alreadyGranted'))
            GROUP BY r.sha256
            """,
        ])
}
