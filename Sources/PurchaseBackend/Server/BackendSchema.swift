package import StoreDatabase

/// The backend's tables, by noun.
///
/// The tables are strict, in SQLite's own dialect. Times are milliseconds of our clock unless a
/// comment says that they are the store's.
package enum BackendSchema {
    package static let current = Schema(
        oldest: 100, tables: [users, receipts, grants, subscriptions, offers, prices],
        migrations: [
            Migration(
                number: 101,
                sql: """
                    ALTER TABLE grants ADD COLUMN kept_quantity INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE grants ADD COLUMN checked_at INTEGER;
                    ALTER TABLE grants ADD COLUMN asked_at INTEGER;
                    ALTER TABLE grants ADD COLUMN next_check_at INTEGER;
                    ALTER TABLE grants ADD COLUMN check_failures INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE grants ADD COLUMN check_refusals INTEGER NOT NULL DEFAULT 0;
                    UPDATE grants SET next_check_at = granted_at
                        WHERE kind != 'autoRenewable' AND refunded_at IS NULL;
                    \(grantsDue)
                    \(consumableUses)
                    """),
            Migration(number: 102, sql: prices),
            Migration(
                number: 103,
                sql: """
                    ALTER TABLE grants ADD COLUMN shows_refund INTEGER NOT NULL DEFAULT 0;
                    UPDATE grants SET next_check_at = refund_seen_at
                        WHERE kind != 'autoRenewable' AND refunded_at IS NOT NULL;
                    """),
            // A user's own refunds are not guesses.
            Migration(
                number: 104,
                sql: "ALTER TABLE submissions ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0;"),
            // The operator's list of all.
            Migration(
                number: 105,
                sql: submissionsByTime),
            Migration(
                number: 106, sql: "DROP INDEX subscriptions_in_trouble; \(subscriptionsInTrouble)"),
        ])

    private static let submissionsByTime =
        "CREATE INDEX submissions_by_time ON submissions (received_at, id);"

    /// All entries have the same value, so they stand by row number, as the list shows them.
    private static let subscriptionsInTrouble = """
        CREATE INDEX subscriptions_in_trouble ON subscriptions (trouble IS NOT NULL)
            WHERE trouble IS NOT NULL;
        """

    /// What products cost, by the operator's own records; for reports only.
    private static let prices = """
        -- The amount is in the currency's smallest unit; the times are by the store's clock.
        CREATE TABLE price_records (
            product_id TEXT NOT NULL,
            storefront TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL CHECK (amount >= 0),
            begins_at INTEGER,
            ends_at INTEGER
        ) STRICT;
        CREATE INDEX price_records_by_product ON price_records (product_id, storefront);
        """

    private static let users = """
        CREATE TABLE users (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE,
            password_hash TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;

        -- A session that was ended expired at 0; by its token, its device is still known.
        CREATE TABLE sessions (
            token_hash BLOB NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES users (id),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
        """

    /// Receipts by their digest, and submissions.
    private static let receipts = """
        -- The bytes are empty once `dropped_at` is set.
        CREATE TABLE receipts (
            sha256 BLOB NOT NULL PRIMARY KEY,
            first_received_at INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            dropped_at INTEGER
        ) STRICT;

        -- The large receipts of which nothing was granted, each with the user who sent it first.
        -- Stalled and refused ones are left out: their number is bounded, and they would keep
        -- new ones out.
        CREATE TABLE large_receipts (
            sha256 BLOB NOT NULL PRIMARY KEY REFERENCES receipts (sha256),
            user_id TEXT NOT NULL REFERENCES users (id),
            byte_count INTEGER NOT NULL
        ) STRICT;

        -- Open (received, kept) while `next_try_at` is set. `round_tries` counts the tries since
        -- somebody last asked for it; the wait follows them. While `stalled_at` is set it is not
        -- tried by itself, and `next_try_at` is the end of time. `is_own`: it was refused, and
        -- its purchase is nevertheless the user's.
        CREATE TABLE submissions (
            id TEXT NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES users (id),
            receipt_sha256 BLOB NOT NULL REFERENCES receipts (sha256),
            product_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            app_version TEXT NOT NULL,
            pass_through TEXT,
            state TEXT NOT NULL CHECK (state IN (
                'received', 'kept', 'granted', 'alreadyGranted', 'refused')),
            reason TEXT,
            store_status INTEGER,
            message TEXT,
            tries INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            next_try_at INTEGER,
            original_transaction_id TEXT,
            environment TEXT,
            http_status INTEGER,
            last_store_status INTEGER,
            last_try_at INTEGER,
            round_tries INTEGER NOT NULL DEFAULT 0,
            give_up_at INTEGER,
            stalled_at INTEGER,
            malformed_answers INTEGER NOT NULL DEFAULT 0,
            times_received INTEGER NOT NULL DEFAULT 1,
            is_own INTEGER NOT NULL DEFAULT 0,
            CHECK ((state IN ('received', 'kept')) = (next_try_at IS NOT NULL))
        ) STRICT;
        CREATE INDEX submissions_due ON submissions (next_try_at)
            WHERE next_try_at IS NOT NULL;
        CREATE INDEX submissions_open_by_user ON submissions (user_id, transaction_id)
            WHERE next_try_at IS NOT NULL;
        CREATE INDEX submissions_by_user ON submissions (user_id, received_at, id);
        CREATE INDEX submissions_by_state ON submissions (state, received_at, id);
        CREATE INDEX submissions_by_transaction ON submissions (transaction_id);
        CREATE INDEX submissions_by_original ON submissions (original_transaction_id)
            WHERE original_transaction_id IS NOT NULL;
        CREATE INDEX submissions_by_receipt ON submissions (receipt_sha256);
        \(submissionsByTime)
        CREATE INDEX submissions_refused_by_user ON submissions (user_id, changed_at)
            WHERE state = 'refused';

        -- Each try with its answer. The history only grows.
        CREATE TABLE submission_events (
            id INTEGER NOT NULL PRIMARY KEY,
            submission_id TEXT NOT NULL REFERENCES submissions (id),
            at INTEGER NOT NULL,
            state TEXT NOT NULL,
            request_id TEXT NOT NULL,
            detail TEXT,
            try_number INTEGER,
            tried_at INTEGER,
            environment TEXT,
            http_status INTEGER,
            store_status INTEGER
        ) STRICT;
        CREATE INDEX submission_events_by_submission ON submission_events (submission_id);
        CREATE TRIGGER submission_events_are_not_changed BEFORE UPDATE ON submission_events
        BEGIN SELECT RAISE(ABORT, 'the history only grows'); END;
        CREATE TRIGGER submission_events_are_not_deleted BEFORE DELETE ON submission_events
        BEGIN SELECT RAISE(ABORT, 'the history only grows'); END;
        """

    /// Granted purchases.
    private static let grants = """
        -- The key makes a purchase deliverable once: `key_transaction` is the transaction of a
        -- consumable and the original transaction of anything else. `purchased_at` is by the
        -- store's clock. `length` and `service` are what a non-renewing subscription gives,
        -- because its product may leave the list. `kept_quantity` is what a refunded consumable's
        -- user keeps, because it was used. `shows_refund`: the answer for the grant's own receipt
        -- showed the refund. The store was asked about the grant at `asked_at`, and answered last
        -- at `checked_at`; auto-renewable subscriptions have rows of their own.
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
            refunded_at INTEGER,
            refund_seen_at INTEGER,
            purchased_at INTEGER,
            length TEXT,
            service TEXT,
            kept_quantity INTEGER NOT NULL DEFAULT 0,
            checked_at INTEGER,
            asked_at INTEGER,
            next_check_at INTEGER,
            check_failures INTEGER NOT NULL DEFAULT 0,
            check_refusals INTEGER NOT NULL DEFAULT 0,
            shows_refund INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (environment, key_transaction)
        ) STRICT;
        CREATE INDEX grants_by_user ON grants (user_id, granted_at);
        CREATE INDEX grants_by_transaction ON grants (transaction_id);
        \(grantsDue)
        \(consumableUses)
        """

    private static let grantsDue = """
        CREATE INDEX grants_due ON grants (next_check_at) WHERE next_check_at IS NOT NULL;
        """

    /// What users used of their consumables, each use once.
    private static let consumableUses = """
        CREATE TABLE consumable_uses (
            user_id TEXT NOT NULL REFERENCES users (id),
            use_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL CHECK (quantity > 0),
            used_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, use_id)
        ) STRICT;
        CREATE INDEX consumable_uses_by_product ON consumable_uses (user_id, product_id);
        CREATE TRIGGER consumable_uses_are_not_changed BEFORE UPDATE ON consumable_uses
        BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
        CREATE TRIGGER consumable_uses_are_not_deleted BEFORE DELETE ON consumable_uses
        BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
        """

    /// Auto-renewable subscriptions, and their checks.
    private static let subscriptions = """
        -- The store's clock as an environment's newest answer had it, and ours then.
        CREATE TABLE store_clocks (
            environment TEXT NOT NULL PRIMARY KEY,
            store_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL
        ) STRICT;

        -- The newest `latest_receipt` of each subscription; several may share one.
        CREATE TABLE latest_receipts (
            sha256 BLOB NOT NULL PRIMARY KEY,
            style TEXT NOT NULL CHECK (style IN ('unified', 'transaction')),
            bytes BLOB NOT NULL
        ) STRICT;

        -- The grant of its original transaction says whose it is. `checked_at` and
        -- `next_check_at` are by our clock, all other times by the store's. `is_over`: the store
        -- called it expired, as the iOS 6 style does. The estimates are of answers that did not
        -- tell.
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
            grace_is_estimated INTEGER NOT NULL DEFAULT 0,
            is_over INTEGER NOT NULL DEFAULT 0,
            clock_is_estimated INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (environment, original_transaction),
            FOREIGN KEY (environment, original_transaction)
                REFERENCES grants (environment, key_transaction),
            CHECK ((revoked_transaction IS NULL) = (revoked_at IS NULL))
        ) STRICT;
        CREATE INDEX subscriptions_due ON subscriptions (next_check_at)
            WHERE next_check_at IS NOT NULL;
        -- Those about which the store has said nothing since their end.
        CREATE INDEX subscriptions_unconfirmed ON subscriptions (environment, expires_at)
            WHERE answered_at < expires_at;
        CREATE INDEX subscriptions_by_user ON subscriptions (user_id, purchased_at);
        CREATE INDEX subscriptions_by_transaction ON subscriptions (transaction_id);
        CREATE INDEX subscriptions_by_original ON subscriptions (original_transaction);
        \(subscriptionsInTrouble)
        CREATE INDEX subscriptions_by_receipt ON subscriptions (receipt_sha256);

        -- The history only grows.
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
        ) STRICT;
        CREATE INDEX subscription_events_by_subscription
            ON subscription_events (environment, original_transaction);
        CREATE TRIGGER subscription_events_are_not_changed BEFORE UPDATE ON subscription_events
        BEGIN SELECT RAISE(ABORT, 'the history only grows'); END;
        CREATE TRIGGER subscription_events_are_not_deleted BEFORE DELETE ON subscription_events
        BEGIN SELECT RAISE(ABORT, 'the history only grows'); END;
        """

    /// Signed promotional offers, and the periods that had one.
    private static let offers = """
        -- Each with the transaction in which it was used.
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
            signed_again INTEGER NOT NULL DEFAULT 0,
            CHECK ((used_environment IS NULL) = (used_transaction IS NULL))
        ) STRICT;
        CREATE INDEX offer_signatures_by_user
            ON offer_signatures (user_id, product_id, offer_id, signed_at);
        CREATE INDEX offer_signatures_by_name
            ON offer_signatures (application_username, product_id, offer_id, signed_at);
        CREATE UNIQUE INDEX offer_signatures_by_transaction
            ON offer_signatures (used_transaction, used_environment)
            WHERE used_transaction IS NOT NULL;

        -- Whether a period used a signature is decided once, when it is first heard of. Its
        -- times are by the store's clock.
        CREATE TABLE offer_periods (
            environment TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            original_transaction TEXT,
            product_id TEXT NOT NULL,
            offer_id TEXT NOT NULL,
            begins_at INTEGER,
            ends_at INTEGER,
            PRIMARY KEY (environment, transaction_id)
        ) STRICT;
        CREATE INDEX offer_periods_by_original
            ON offer_periods (environment, original_transaction);
        """
}
