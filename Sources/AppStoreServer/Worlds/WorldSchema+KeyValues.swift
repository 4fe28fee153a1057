import StoreDatabase

extension WorldSchema {
    /// The key-value store of each account in each app.
    static let keyValues = Migration(
        number: 10,
        statements: [
            // A removed key stays as a row without a value, so that devices hear of it.
            """
            CREATE TABLE key_value (
                account_id BIGINT NOT NULL REFERENCES account (id),
                app_id BIGINT NOT NULL REFERENCES app (id),
                name TEXT NOT NULL,
                value TEXT,
                byte_count BIGINT NOT NULL,
                revision BIGINT NOT NULL,
                changed_ms BIGINT NOT NULL,
                PRIMARY KEY (account_id, app_id, name)
            )
            """,
            "CREATE INDEX key_value_by_revision ON key_value (account_id, app_id, revision)",
            // What was removed up to `forgotten` may have no row any more: who knows less is told
            // everything.
            """
            CREATE TABLE key_value_revision (
                account_id BIGINT NOT NULL REFERENCES account (id),
                app_id BIGINT NOT NULL REFERENCES app (id),
                revision BIGINT NOT NULL,
                forgotten BIGINT NOT NULL,
                PRIMARY KEY (account_id, app_id)
            )
            """,
            // The newest requests of a device, which may come again when an answer was lost.
            """
            CREATE TABLE key_value_request (
                device_id BIGINT NOT NULL REFERENCES device (id),
                request_id TEXT NOT NULL,
                account_id BIGINT NOT NULL REFERENCES account (id),
                digest BLOB NOT NULL,
                number BIGINT NOT NULL,
                PRIMARY KEY (device_id, request_id)
            )
            """,
        ])
}
