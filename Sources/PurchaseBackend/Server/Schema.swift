package import StoreDatabase

/// The backend's tables, one numbered step after the other.
package enum BackendSchema {
    package static let migrations: [Migration] = [
        first, second, third, fourth, fifth, sixth, seventh,
    ]

    private static let first = Migration(
        number: 1,
        statements: [
            """
            CREATE TABLE users (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                name_key TEXT NOT NULL UNIQUE,
                password_hash TEXT NOT NULL,
                created_at INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE sessions (
                token_hash BLOB NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL REFERENCES users (id),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX sessions_by_user ON sessions (user_id, created_at)",
            """
            CREATE TABLE receipts (
                sha256 BLOB NOT NULL PRIMARY KEY,
                first_received_at INTEGER NOT NULL,
                bytes BLOB NOT NULL
            ) STRICT
            """,
            // A submission is open (received, kept) while next_try_at is set.
            """
            CREATE TABLE submissions (
                id TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL REFERENCES users (id),
                receipt_sha256 BLOB NOT NULL REFERENCES receipts (sha256),
                product_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                app_version TEXT NOT NULL,
                pass_through TEXT,
                state TEXT NOT NULL CHECK (state IN
                    ('received', 'kept', 'granted', 'alreadyGranted', 'refused')),
                reason TEXT,
                store_status INTEGER,
                message TEXT,
                tries INTEGER NOT NULL,
                received_at INTEGER NOT NULL,
                changed_at INTEGER NOT NULL,
                next_try_at INTEGER,
                CHECK ((state IN ('received', 'kept')) = (next_try_at IS NOT NULL))
            ) STRICT
            """,
            """
            CREATE INDEX submissions_due ON submissions (next_try_at)
                WHERE next_try_at IS NOT NULL
            """,
            """
            CREATE INDEX submissions_open_by_user ON submissions (user_id, transaction_id)
                WHERE next_try_at IS NOT NULL
            """,
            """
            CREATE TABLE submission_events (
                id INTEGER NOT NULL PRIMARY KEY,
                submission_id TEXT NOT NULL REFERENCES submissions (id),
                at INTEGER NOT NULL,
                state TEXT NOT NULL,
                request_id TEXT NOT NULL,
                detail TEXT
            ) STRICT
            """,
            "CREATE INDEX submission_events_by_submission ON submission_events (submission_id)",
            // The key makes a purchase deliverable once: key_transaction is the transaction of a
            // consumable, and the original transaction of anything else.
            """
            CREATE TABLE grants (
                environment TEXT NOT NULL,
                key_transaction TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id),
                submission_id TEXT NOT NULL REFERENCES submissions (id),
                product_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                original_transaction_id TEXT NOT NULL,
                quantity INTEGER NOT NULL,
                granted_at INTEGER NOT NULL,
                PRIMARY KEY (environment, key_transaction)
            ) STRICT
            """,
            "CREATE INDEX grants_by_user ON grants (user_id, granted_at)",
        ])
}
