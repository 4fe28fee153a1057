import StoreDatabase

extension BackendSchema {
    /// What an operator looks up: each try with its answer, when a submission is given up, and
    /// what was refunded.
    static let second = Migration(
        number: 2,
        statements: [
            "ALTER TABLE submissions ADD COLUMN original_transaction_id TEXT",
            "ALTER TABLE submissions ADD COLUMN environment TEXT",
            "ALTER TABLE submissions ADD COLUMN http_status INTEGER",
            "ALTER TABLE submissions ADD COLUMN last_store_status INTEGER",
            "ALTER TABLE submissions ADD COLUMN last_try_at INTEGER",
            // Tries since somebody last asked for this submission; the wait follows them.
            "ALTER TABLE submissions ADD COLUMN round_tries INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE submissions ADD COLUMN give_up_at INTEGER",
            // Set while a kept submission is not tried by itself; next_try_at is then the end of
            // time, so that it stays open by the first step's rule and is never due.
            "ALTER TABLE submissions ADD COLUMN stalled_at INTEGER",
            "ALTER TABLE submissions ADD COLUMN malformed_answers INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE submissions ADD COLUMN times_received INTEGER NOT NULL DEFAULT 1",
            "UPDATE submissions SET round_tries = tries WHERE next_try_at IS NOT NULL",
            "UPDATE submissions SET last_try_at = changed_at WHERE tries > 0",
            "UPDATE submissions SET last_store_status = store_status",
            """
            UPDATE submissions SET environment = g.environment,
                original_transaction_id = g.original_transaction_id
            FROM grants g WHERE submissions.id = g.submission_id
                AND submissions.state = 'granted'
            """,
            """
            UPDATE submissions SET times_received = 1 + (
                SELECT count(*) FROM submission_events
                WHERE submission_id = submissions.id AND state = 'receivedAgain')
            """,
            "CREATE INDEX submissions_by_user ON submissions (user_id, received_at, id)",
            "CREATE INDEX submissions_by_state ON submissions (state, received_at, id)",
            "CREATE INDEX submissions_by_transaction ON submissions (transaction_id)",
            """
            CREATE INDEX submissions_by_original ON submissions (original_transaction_id)
                WHERE original_transaction_id IS NOT NULL
            """,
            "CREATE INDEX submissions_by_receipt ON submissions (receipt_sha256)",
            """
            CREATE INDEX submissions_refused_by_user ON submissions (user_id, changed_at)
                WHERE state = 'refused'
            """,
            // The bytes are empty from then on.
            "ALTER TABLE receipts ADD COLUMN dropped_at INTEGER",
            "ALTER TABLE grants ADD COLUMN refunded_at INTEGER",
            "ALTER TABLE grants ADD COLUMN refund_seen_at INTEGER",
            "CREATE INDEX grants_by_transaction ON grants (transaction_id)",
            "ALTER TABLE submission_events ADD COLUMN try_number INTEGER",
            "ALTER TABLE submission_events ADD COLUMN tried_at INTEGER",
            "ALTER TABLE submission_events ADD COLUMN environment TEXT",
            "ALTER TABLE submission_events ADD COLUMN http_status INTEGER",
            "ALTER TABLE submission_events ADD COLUMN store_status INTEGER",
            """
            CREATE TRIGGER submission_events_are_not_changed BEFORE UPDATE ON submission_events
            BEGIN SELECT RAISE(ABORT, 'the history only grows'); END
            """,
            """
            CREATE TRIGGER submission_events_are_not_deleted BEFORE DELETE ON submission_events
            BEGIN SELECT RAISE(ABORT, 'the history only grows'); END
            """,
        ])
}
