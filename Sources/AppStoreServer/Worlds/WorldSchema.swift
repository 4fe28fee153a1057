package import StoreDatabase

/// The tables of a world; one file holds one world. Portable SQL: whole numbers of 64 bits for
/// times (milliseconds), money (milliunits) and truth values.
package enum WorldSchema {
    package static let migrations = [
        first, shop, accountLocks, eventSubjects, lastingPurchases, revokedSecrets, restores,
        content, waitingPurchases, keyValues, revocations, priceConsents,
        offers, subscriptions, ledger, offerKeys, waitingOffers, withdrawnPrices, payments,
        families, refundRequests, providerPayments, fewerIndexes,
        raisedPrices, openPayments,
    ]

    /// The tables of people, devices and what happened, in an order in which they can be emptied;
    /// the others hold what is for sale, and what the world is.
    package static let historyTables = [
        "payment_refund", "payment", "gift_code", "credit_balance", "ledger_posting",
        "ledger_entry",
        "key_value", "key_value_revision", "key_value_request", "waiting_purchase", "revocation",
        "refund_request", "price_consent", "offer_redemption", "offer_nonce", "device_receipt",
        "receipt_revision", "event", "event_cursor", "subscription", "refund", "store_transaction",
        "attempt", "restore_page", "restore", "family_member", "family", "device_token", "device",
        "account",
        "unknown_name",
    ]

    private static let first = Migration(number: 1, statements: worldTables + shopTables)

    private static let worldTables = [
        """
        CREATE TABLE world (
            name TEXT PRIMARY KEY,
            id TEXT NOT NULL,
            is_session BIGINT NOT NULL,
            created_ms BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE clock (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            mode TEXT NOT NULL CHECK (mode IN ('real', 'held')),
            offset_ms BIGINT NOT NULL,
            held_ms BIGINT NOT NULL
        )
        """,
        // The leaf certificate is part of the world: its receipts must verify after a restart.
        """
        CREATE TABLE environment (
            kind TEXT PRIMARY KEY,
            transaction_next BIGINT NOT NULL,
            transaction_last BIGINT NOT NULL,
            leaf BLOB NOT NULL
        )
        """,
        "CREATE TABLE sequence (name TEXT PRIMARY KEY, next BIGINT NOT NULL)",
        """
        CREATE TABLE event (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            kind TEXT NOT NULL,
            transaction_id BIGINT NOT NULL,
            at_ms BIGINT NOT NULL
        )
        """,
        "CREATE INDEX event_by_account ON event (account_id, app_id, number)",
        """
        CREATE TABLE event_cursor (
            reader TEXT PRIMARY KEY,
            number BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE app (
            id BIGINT PRIMARY KEY,
            bundle_id TEXT NOT NULL UNIQUE,
            catalogue BLOB NOT NULL,
            storefront TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE product (
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            reference_name TEXT,
            is_family_shareable BIGINT NOT NULL,
            subscription_group TEXT,
            state TEXT NOT NULL,
            is_in_file BIGINT NOT NULL,
            price_milliunits BIGINT NOT NULL,
            PRIMARY KEY (app_id, product_id)
        )
        """,
        """
        CREATE TABLE product_text (
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            position BIGINT NOT NULL,
            locale TEXT NOT NULL,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            PRIMARY KEY (app_id, product_id, position)
        )
        """,
        """
        CREATE TABLE product_price (
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            storefront TEXT NOT NULL,
            price_milliunits BIGINT NOT NULL,
            PRIMARY KEY (app_id, product_id, storefront)
        )
        """,
    ]

    private static let shopTables = [
        // Locks run on the real clock, whatever the world's says.
        """
        CREATE TABLE account (
            id BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            name TEXT NOT NULL,
            storefront TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            failures BIGINT NOT NULL,
            locked_until_real_ms BIGINT,
            created_ms BIGINT NOT NULL,
            UNIQUE (environment, name)
        )
        """,
        """
        CREATE TABLE device (
            id BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            guid TEXT NOT NULL,
            app_version TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            UNIQUE (environment, app_id, guid)
        )
        """,
        """
        CREATE TABLE device_token (
            digest BLOB PRIMARY KEY,
            device_id BIGINT NOT NULL REFERENCES device (id),
            account_id BIGINT REFERENCES account (id),
            expires_real_ms BIGINT NOT NULL
        )
        """,
        "CREATE INDEX device_token_by_device ON device_token (device_id)",
        """
        CREATE TABLE attempt (
            device_id BIGINT NOT NULL REFERENCES device (id),
            attempt_id TEXT NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account (id),
            body_digest BLOB NOT NULL,
            state TEXT NOT NULL,
            transaction_id BIGINT,
            refusal TEXT,
            created_ms BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL,
            PRIMARY KEY (device_id, attempt_id)
        )
        """,
        """
        CREATE TABLE store_transaction (
            id BIGINT PRIMARY KEY,
            original_id BIGINT NOT NULL,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            account_id BIGINT NOT NULL REFERENCES account (id),
            device_id BIGINT NOT NULL REFERENCES device (id),
            attempt_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            quantity BIGINT NOT NULL,
            purchased_ms BIGINT NOT NULL,
            originally_purchased_ms BIGINT NOT NULL,
            charged_milliunits BIGINT NOT NULL,
            currency TEXT NOT NULL,
            storefront TEXT NOT NULL,
            application_username TEXT,
            finished_ms BIGINT,
            UNIQUE (device_id, attempt_id)
        )
        """,
        "CREATE INDEX transaction_by_account ON store_transaction (account_id, app_id, id)",
        """
        CREATE INDEX transaction_unfinished ON store_transaction (account_id, app_id, id)
            WHERE finished_ms IS NULL
        """,
        "CREATE INDEX transaction_by_product ON store_transaction (app_id, product_id)",
        // Counts the changes of what an account's receipt for an app shows.
        """
        CREATE TABLE receipt_revision (
            account_id BIGINT NOT NULL,
            app_id BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            PRIMARY KEY (account_id, app_id)
        )
        """,
        // What a device's receipt was made of, so that the same revision is the same receipt.
        """
        CREATE TABLE device_receipt (
            device_id BIGINT PRIMARY KEY REFERENCES device (id),
            account_id BIGINT NOT NULL,
            app_version TEXT NOT NULL,
            revision BIGINT NOT NULL,
            opaque BLOB NOT NULL,
            created_ms BIGINT NOT NULL
        )
        """,
    ]
}
