import StoreDatabase

extension WorldSchema {
    /// Events that are of no transaction, such as a declined request or another storefront.
    static let eventSubjects = Migration(
        number: 4,
        statements: [
            """
            CREATE TABLE event_with_subject (
                number BIGINT PRIMARY KEY,
                environment TEXT NOT NULL,
                app_id BIGINT NOT NULL,
                account_id BIGINT NOT NULL,
                kind TEXT NOT NULL,
                transaction_id BIGINT,
                subject TEXT,
                at_ms BIGINT NOT NULL
            )
            """,
            """
            INSERT INTO event_with_subject
                (number, environment, app_id, account_id, kind, transaction_id, at_ms)
            SELECT number, environment, app_id, account_id, kind, transaction_id, at_ms FROM event
            """,
            "DROP TABLE event",
            "ALTER TABLE event_with_subject RENAME TO event",
            "CREATE INDEX event_by_account ON event (account_id, app_id, number)",
        ])
}
