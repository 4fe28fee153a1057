import StoreDatabase

extension BackendSchema {
    /// Auto-renewable subscriptions, and what is asked again about them. Whose one is says the
    /// grant of its original transaction.
    static let sixth = Migration(
        number: 6,
        statements: [
            // How long a non-renewing subscription lasts, as the product list had it when it was
            // granted. Of grants from before, the list of today says.
            "ALTER TABLE grants ADD COLUMN length TEXT",
            // The store's clock as an environment's newest answer had it, and ours then.
            """
            CREATE TABLE store_clocks (
                environment TEXT NOT NULL PRIMARY KEY,
                store_at INTEGER NOT NULL,
                seen_at INTEGER NOT NULL
            ) STRICT
            """,
            // The newest `latest_receipt` of each subscription; several may share one.
            """
            CREATE TABLE latest_receipts (
                sha256 BLOB NOT NULL PRIMARY KEY,
                style TEXT NOT NULL CHECK (style IN ('unified', 'transaction')),
                bytes BLOB NOT NULL
            ) STRICT
            """,
            // Of the times, those of the row's upkeep (checked_at, next_check_at) are by our clock,
            // all others by the store's.
            """
            CREATE TABLE subscriptions (
                environment TEXT NOT NULL,
                original_transaction TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id),
                product_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                purchased_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                offer_id TEXT,
                newest_at INTEGER NOT NULL,
                renews INTEGER,
                renews_as TEXT,
                is_retried INTEGER,
                grace_ends_at INTEGER,
                intent INTEGER,
                revoked_transaction TEXT,
                revoked_at INTEGER,
                answered_at INTEGER NOT NULL,
                receipt_sha256 BLOB NOT NULL REFERENCES latest_receipts (sha256),
                checked_at INTEGER NOT NULL,
                next_check_at INTEGER,
                quiet_checks INTEGER NOT NULL DEFAULT 0,
                failures INTEGER NOT NULL DEFAULT 0,
                refusals INTEGER NOT NULL DEFAULT 0,
                trouble TEXT,
                PRIMARY KEY (environment, original_transaction),
                FOREIGN KEY (environment, original_transaction)
                    REFERENCES grants (environment, key_transaction),
                CHECK ((revoked_transaction IS NULL) = (revoked_at IS NULL))
            ) STRICT
            """,
            """
            CREATE INDEX subscriptions_due ON subscriptions (next_check_at)
                WHERE next_check_at IS NOT NULL
            """,
            // Whose end the store has not spoken about since.
            """
            CREATE INDEX subscriptions_unconfirmed ON subscriptions (environment, expires_at)
                WHERE answered_at < expires_at
            """,
            "CREATE INDEX subscriptions_by_user ON subscriptions (user_id, purchased_at)",
            "CREATE INDEX subscriptions_by_transaction ON subscriptions (transaction_id)",
            "CREATE INDEX subscriptions_by_original ON subscriptions (original_transaction)",
            """
            CREATE INDEX subscriptions_in_trouble ON subscriptions (checked_at)
                WHERE trouble IS NOT NULL
            """,
            "CREATE INDEX subscriptions_by_receipt ON subscriptions (receipt_sha256)",
            """
            CREATE TABLE subscription_events (
                id INTEGER NOT NULL PRIMARY KEY,
                environment TEXT NOT NULL,
                original_transaction TEXT NOT NULL,
                at INTEGER NOT NULL,
                store_at INTEGER NOT NULL,
                event TEXT NOT NULL,
                request_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                expires_at INTEGER NOT NULL,
                FOREIGN KEY (environment, original_transaction)
                    REFERENCES subscriptions (environment, original_transaction)
            ) STRICT
            """,
            """
            CREATE INDEX subscription_events_by_subscription
                ON subscription_events (environment, original_transaction)
            """,
            // Promotional offers that were signed, and the transaction in which each was used.
            """
            CREATE TABLE offer_signatures (
                nonce TEXT NOT NULL PRIMARY KEY,
                user_id TEXT NOT NULL REFERENCES users (id),
                product_id TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                application_username TEXT NOT NULL,
                key_id TEXT NOT NULL,
                signed_at INTEGER NOT NULL,
                signature BLOB NOT NULL,
                used_environment TEXT,
                used_transaction TEXT,
                CHECK ((used_environment IS NULL) = (used_transaction IS NULL))
            ) STRICT
            """,
            """
            CREATE INDEX offer_signatures_by_user
                ON offer_signatures (user_id, product_id, offer_id, signed_at)
            """,
            """
            CREATE INDEX offer_signatures_by_name
                ON offer_signatures (application_username, product_id, offer_id, signed_at)
            """,
            """
            CREATE UNIQUE INDEX offer_signatures_by_transaction
                ON offer_signatures (used_transaction, used_environment)
                WHERE used_transaction IS NOT NULL
            """,
            """
            CREATE TRIGGER subscription_events_are_not_changed BEFORE UPDATE ON subscription_events
            BEGIN SELECT RAISE(ABORT, 'the history only grows'); END
            """,
            """
            CREATE TRIGGER subscription_events_are_not_deleted BEFORE DELETE ON subscription_events
            BEGIN SELECT RAISE(ABORT, 'the history only grows'); END
            """,
        ])
}
