package import StoreDatabase

/// The tables of a world, by noun; one file holds one world.
///
/// Whole numbers of 64 bits for times (milliseconds), money (milliunits) and truth values. Times are
/// the world's unless their name says `real`.
package enum WorldSchema {
    package static let current = Schema(
        oldest: 100,
        tables: [
            world, certificates, shop, catalogue, subscriptionGroups, content, accounts, devices,
            purchases, receipts,
            subscriptions, offers, money, payments, refunds, keyValues, events, notifications,
            notificationTexts, noticeHistory,
        ],
        migrations: [
            Migration(
                number: 101,
                sql: """
                    ALTER TABLE subscription
                    ADD COLUMN increase_question BIGINT REFERENCES price_consent (number);
                    UPDATE subscription SET increase_question = (
                        SELECT max(number) FROM price_consent
                        WHERE price_consent.account_id = subscription.account_id
                            AND price_consent.app_id = subscription.app_id
                            AND price_consent.product_id = subscription.product_id
                            AND new_milliunits = increase_milliunits
                            AND price_consent.currency = subscription.currency
                            AND withdrawn_ms IS NULL
                            AND coalesce(answer, 'pending') = increase_consent)
                    WHERE increase_consent <> 'notNeeded';
                    """),
            // Accounts can be deleted.
            Migration(
                number: 102, sql: "ALTER TABLE account ADD COLUMN deleted_ms BIGINT;"),
            // Apps have numbers, and accounts got them at some time. An app without a number has
            // the one that follows from its identifier. An account that bought something had the
            // app by then, in an unknown version: receipts said 1.0, and go on saying so.
            Migration(
                number: 103,
                sql: """
                    ALTER TABLE app ADD COLUMN app_number BIGINT;
                    CREATE TABLE app_transaction (
                        id BIGINT PRIMARY KEY,
                        account_id BIGINT NOT NULL REFERENCES account (id),
                        app_id BIGINT NOT NULL REFERENCES app (id),
                        purchased_ms BIGINT NOT NULL,
                        app_version TEXT NOT NULL,
                        platform TEXT NOT NULL,
                        is_volume BIGINT NOT NULL,
                        UNIQUE (account_id, app_id)
                    );
                    INSERT INTO app_transaction (id, account_id, app_id, purchased_ms, app_version,
                        platform, is_volume)
                    SELECT (SELECT 500000000000000 + transaction_next - 2000000000000000
                            FROM environment WHERE kind = 'sandbox')
                            + row_number() OVER (ORDER BY account_id, app_id),
                        account_id, app_id,
                        CASE environment WHEN 'sandbox' THEN 1375340400000 ELSE first_ms END,
                        '1.0', 'iOS', 0
                    FROM (SELECT account_id, app_id, environment, min(at_ms) AS first_ms FROM event
                        WHERE kind = 'purchased' GROUP BY account_id, app_id, environment) AS had;
                    INSERT INTO sequence (name, next)
                    SELECT 'app_transaction', 1 + coalesce((SELECT max(id) FROM app_transaction),
                        500000000000000 + transaction_next - 2000000000000000)
                    FROM environment WHERE kind = 'sandbox';
                    """),
            // Strangers do not lock a customer out.
            Migration(
                number: 104,
                sql: """
                    ALTER TABLE device ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
                    ALTER TABLE device ADD COLUMN locked_until_real_ms BIGINT;
                    CREATE TABLE device_account (
                        device_id BIGINT NOT NULL REFERENCES device (id),
                        account_id BIGINT NOT NULL REFERENCES account (id),
                        PRIMARY KEY (device_id, account_id)
                    );
                    CREATE INDEX device_account_by_account ON device_account (account_id);
                    INSERT INTO device_account (device_id, account_id)
                    SELECT device_id, account_id FROM device_token WHERE account_id IS NOT NULL
                    UNION SELECT device_id, account_id FROM attempt
                    UNION SELECT device_id, account_id FROM key_value_request;
                    """),
            // The answer to a downgrade was finished.
            Migration(
                number: 105, sql: "ALTER TABLE attempt ADD COLUMN finished_ms BIGINT;"),
            // Tags own content, too.
            Migration(
                number: 106,
                sql: """
                    DROP INDEX content_version_by_product;
                    ALTER TABLE content_version RENAME COLUMN product_id TO owner;
                    ALTER TABLE content_version ADD COLUMN resource_kind TEXT
                    CHECK (resource_kind IN ('initial', 'prefetch', 'onDemand'));
                    CREATE INDEX content_version_by_owner
                    ON content_version (app_id, owner, number);
                    ALTER TABLE content_upload RENAME COLUMN product_id TO owner;
                    ALTER TABLE content_upload ADD COLUMN resource_kind TEXT
                    CHECK (resource_kind IN ('initial', 'prefetch', 'onDemand'));
                    """),
            // An account that has signed in and bought nothing had the app by then, too.
            Migration(
                number: 107,
                sql: """
                    INSERT INTO app_transaction (id, account_id, app_id, purchased_ms, app_version,
                        platform, is_volume)
                    SELECT (SELECT next - 1 FROM sequence WHERE name = 'app_transaction')
                            + row_number() OVER (ORDER BY account_id, app_id),
                        account_id, app_id,
                        CASE environment WHEN 'sandbox' THEN 1375340400000 ELSE first_ms END,
                        '1.0', 'iOS', 0
                    FROM (SELECT device_account.account_id, app_id, environment,
                            min(created_ms) AS first_ms
                        FROM device_account JOIN device ON device.id = device_id
                        WHERE NOT EXISTS (SELECT 1 FROM app_transaction AS known
                            WHERE known.account_id = device_account.account_id
                                AND known.app_id = device.app_id)
                        GROUP BY device_account.account_id, app_id, environment) AS had;
                    UPDATE sequence SET next = (SELECT max(id) + 1 FROM app_transaction)
                    WHERE name = 'app_transaction' AND EXISTS (SELECT 1 FROM app_transaction);
                    """),
            // Guesses on a device are counted by name. Locks run on to their end.
            Migration(
                number: 108,
                sql: """
                    ALTER TABLE device DROP COLUMN failures;
                    \(deviceGuesses)
                    """),
            // Data are signed, too; a world gets its certificates when it first signs any.
            Migration(
                number: 109, sql: "ALTER TABLE environment ADD COLUMN data_leaf BLOB;"),
            // Offers last a time, and subscriptions run without long gaps. The duration of an
            // earlier sale's offer is unknown.
            Migration(
                number: 110,
                sql: """
                    ALTER TABLE store_transaction ADD COLUMN offer_period TEXT;
                    ALTER TABLE subscription ADD COLUMN offer_period TEXT;
                    ALTER TABLE subscription ADD COLUMN run_started_ms BIGINT NOT NULL DEFAULT 0;
                    UPDATE subscription SET run_started_ms = coalesce((
                        SELECT max(purchased_ms) FROM (
                            SELECT purchased_ms, max(coalesce(upgraded_ms, expires_ms))
                                OVER (ORDER BY id
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS paid_until_ms
                            FROM store_transaction AS period
                            WHERE period.account_id = subscription.account_id
                                AND period.app_id = subscription.app_id
                                AND period.original_id = subscription.original_id
                                AND restore_id IS NULL AND kind <> 'consumable') AS paid
                        WHERE paid_until_ms IS NULL OR purchased_ms > paid_until_ms + (
                            SELECT CASE pace WHEN 'calendar' THEN 5184000000 ELSE 600000 END
                            FROM environment
                            WHERE environment.kind = subscription.environment)), first_ms);
                    """),
            // All subscribers of a product can be extended.
            Migration(number: 111, sql: massExtensions),
            // Apps' servers are notified.
            Migration(
                number: 112,
                sql: notifications
                    + """
                    ALTER TABLE notification ADD COLUMN body TEXT NOT NULL DEFAULT '';
                    ALTER TABLE notification ADD COLUMN transaction_payload TEXT;
                    ALTER TABLE notification ADD COLUMN renewal_payload TEXT;
                    ALTER TABLE notification ADD COLUMN receipt_payload BLOB;
                    """),
            // Files of schema 112 have an index by time alone.
            Migration(
                number: 113, sql: "DROP INDEX IF EXISTS notification_by_time;" + noticeHistory),
            // Certificates name their responder. A world gets new ones when it next signs
            // data; what it signed before contains the old one.
            Migration(
                number: 114,
                sql: """
                    ALTER TABLE environment DROP COLUMN data_leaf;
                    \(certificates)
                    """),
            // The texts of notifications were columns of their rows.
            Migration(
                number: 115,
                sql: notificationTexts
                    + """
                    INSERT INTO notification_text
                        (number, body, transaction_payload, renewal_payload, receipt_payload)
                    SELECT number, body, transaction_payload, renewal_payload, receipt_payload
                    FROM notification;
                    ALTER TABLE notification DROP COLUMN body;
                    ALTER TABLE notification DROP COLUMN transaction_payload;
                    ALTER TABLE notification DROP COLUMN renewal_payload;
                    ALTER TABLE notification DROP COLUMN receipt_payload;
                    """),
            // Groups of subscriptions have names, and products identifiers of their own. Both
            // come with the next import of the catalogue.
            Migration(
                number: 116,
                sql: "ALTER TABLE product ADD COLUMN internal_id TEXT;" + subscriptionGroups),
            // Payments win customers back, and apps' servers decide about introductory offers.
            Migration(
                number: 117,
                sql: """
                    ALTER TABLE waiting_purchase ADD COLUMN win_back_offer_id TEXT;
                    ALTER TABLE waiting_purchase ADD COLUMN is_introduction_allowed BIGINT;
                    """),
            // What changes a purchase changes what is signed of the transactions that restore it.
            Migration(
                number: 118,
                sql: """
                    CREATE INDEX transaction_by_restored
                        ON store_transaction (device_id, restored_id)
                        WHERE restored_id IS NOT NULL;
                    """),
            // Accounts' renewals can be made to fail.
            Migration(
                number: 119,
                sql: """
                    ALTER TABLE account ADD COLUMN fails_renewals BIGINT NOT NULL DEFAULT 0;
                    """),
            // The sandbox of a test session may have the name of Xcode's.
            Migration(
                number: 120,
                sql: """
                    ALTER TABLE world ADD COLUMN sandbox_name TEXT NOT NULL DEFAULT 'Sandbox';
                    """),
            // Purchases of tests have dates of their own.
            Migration(
                number: 121,
                sql: """
                    ALTER TABLE waiting_purchase ADD COLUMN test_purchased_ms BIGINT;
                    ALTER TABLE waiting_purchase ADD COLUMN test_cancels BIGINT;
                    """),
            // A transaction that a test deletes belongs to an account that stands for it.
            Migration(
                number: 122,
                sql: "ALTER TABLE account ADD COLUMN deleted_transaction_id BIGINT;"),
        ])

    /// The tables of customers, devices and events, in an order in which they can be emptied; the
    /// others hold the catalogue and the world's identity.
    package static let historyTables = [
        "notification_attempt", "notification_text", "notification", "signed_head",
        "payment_refund", "payment", "gift_code", "credit_balance", "ledger_posting",
        "ledger_entry",
        "key_value", "key_value_revision", "key_value_request", "waiting_purchase", "revocation",
        "refund_request", "offer_redemption", "offer_nonce", "device_receipt", "receipt_revision",
        "event", "event_cursor", "mass_extension", "subscription", "price_consent", "refund",
        "store_transaction", "attempt", "restore_page", "restore", "family_member", "family",
        "app_transaction",
        "device_token", "device_account", "device_guess", "device", "account",
        "unknown_name",
    ]

    /// The world's identity, clock and numbers.
    private static let world = """
        -- One row. `sandbox_name` is what signed data call the sandbox.
        CREATE TABLE world (
            name TEXT PRIMARY KEY,
            id TEXT NOT NULL,
            is_session BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            sandbox_name TEXT NOT NULL DEFAULT 'Sandbox'
        );

        -- One row.
        CREATE TABLE clock (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            mode TEXT NOT NULL CHECK (mode IN ('real', 'held')),
            offset_ms BIGINT NOT NULL,
            held_ms BIGINT NOT NULL
        );

        -- The leaf certificates of receipts are part of the world: what they signed must verify after
        -- a restart.
        CREATE TABLE environment (
            kind TEXT PRIMARY KEY,
            transaction_next BIGINT NOT NULL,
            transaction_last BIGINT NOT NULL,
            leaf BLOB NOT NULL,
            pace TEXT NOT NULL DEFAULT 'calendar',
            asks_provider BIGINT NOT NULL DEFAULT 0
        );

        -- The next number of everything that is numbered.
        CREATE TABLE sequence (name TEXT PRIMARY KEY, next BIGINT NOT NULL);

        -- Has a row only within the commit that empties the history, for the ledger's triggers.
        CREATE TABLE history_reset (id BIGINT PRIMARY KEY CHECK (id = 1));
        """

    /// The certificates of signed data, from when data are first signed.
    private static let certificates = """
        -- Of those of a role that were not replaced, the one with the store's address is in use. A key
        -- that is not the chain's follows from it and `key_number`. Times are real.
        CREATE TABLE data_certificate (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('leaf', 'intermediate')),
            serial TEXT NOT NULL,
            der BLOB NOT NULL,
            key_number BIGINT NOT NULL,
            responder TEXT NOT NULL,
            made_real_ms BIGINT NOT NULL,
            replaced_real_ms BIGINT,
            revoked_real_ms BIGINT,
            revocation_reason TEXT,
            UNIQUE (environment, role, serial)
        );
        """

    /// The shop's settings, the developers and their shared secrets.
    private static let shop = """
        -- One row.
        CREATE TABLE shop (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            new_products_wait BIGINT NOT NULL,
            delay_ms BIGINT NOT NULL
        );

        INSERT INTO shop (id, new_products_wait, delay_ms) VALUES (1, 0, 0);

        -- `issuer_id` is a UUID that signed offers name, made when the developer first needs
        -- one.
        CREATE TABLE developer (
            id BIGINT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            issuer_id TEXT
        );

        INSERT INTO developer (id, name) VALUES (1, 'default');
        INSERT INTO sequence (name, next) VALUES ('developer', 2);

        -- `grace_days` is null where a failed renewal has no grace period. An app without a number
        -- has the one that follows from its identifier.
        CREATE TABLE app (
            id BIGINT PRIMARY KEY,
            bundle_id TEXT NOT NULL UNIQUE,
            catalogue BLOB NOT NULL,
            storefront TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL,
            developer_id BIGINT NOT NULL DEFAULT 1,
            delay_ms BIGINT,
            grace_days BIGINT,
            app_number BIGINT
        );

        -- Belongs to a developer or to one app. All its times are real.
        CREATE TABLE shared_secret (
            number BIGINT PRIMARY KEY,
            developer_id BIGINT REFERENCES developer (id),
            app_id BIGINT REFERENCES app (id),
            digest BLOB NOT NULL,
            made_real_ms BIGINT NOT NULL,
            accepted_until_real_ms BIGINT,
            revoked_real_ms BIGINT,
            CHECK ((developer_id IS NULL) <> (app_id IS NULL))
        );
        CREATE INDEX shared_secret_by_owner ON shared_secret (developer_id, app_id);
        CREATE INDEX shared_secret_by_digest ON shared_secret (digest);

        -- Secrets revoked in worlds that this one replaced: a snapshot restored later must not
        -- bring one back.
        CREATE TABLE revoked_secret (
            digest BLOB PRIMARY KEY,
            revoked_real_ms BIGINT NOT NULL
        );
        """

    /// The catalogue: products, their reviews, versions on their way and prices.
    private static let catalogue = """
        -- `settled_ms` is when devices see the product as this row has it, null when they always
        -- do; `offers` is JSON.
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
            renewal_period TEXT,
            group_level BIGINT,
            category TEXT,
            settled_ms BIGINT,
            offers TEXT,
            internal_id TEXT,
            PRIMARY KEY (app_id, product_id)
        );

        CREATE TABLE product_text (
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            position BIGINT NOT NULL,
            locale TEXT NOT NULL,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            PRIMARY KEY (app_id, product_id, position)
        );

        -- The history outlives its product, so it names no row of it.
        CREATE TABLE product_review (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            step TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            note TEXT,
            at_ms BIGINT NOT NULL
        );
        CREATE INDEX product_review_by_product ON product_review (app_id, product_id, number);

        INSERT INTO sequence (name, next) VALUES ('product_review', 1);

        -- Changes that devices see later; a null body is a product that goes away.
        CREATE TABLE product_version (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            visible_ms BIGINT NOT NULL,
            body TEXT
        );
        CREATE INDEX product_version_by_product
            ON product_version (app_id, product_id, number);

        -- An entry that ended says how; entries are deleted only with their product.
        CREATE TABLE price_entry (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL,
            product_id TEXT NOT NULL,
            storefront TEXT NOT NULL,
            price_milliunits BIGINT,
            from_ms BIGINT,
            added_ms BIGINT NOT NULL,
            ended TEXT CHECK (ended IN ('replaced', 'cancelled'))
        );
        CREATE INDEX price_entry_by_product
            ON price_entry (app_id, product_id, ended, number);

        INSERT INTO sequence (name, next) VALUES ('price_entry', 1);
        """

    /// The names of groups of subscriptions; `texts` is JSON.
    private static let subscriptionGroups = """
        CREATE TABLE subscription_group (
            app_id BIGINT NOT NULL REFERENCES app (id),
            group_id TEXT NOT NULL,
            reference_name TEXT,
            texts TEXT NOT NULL,
            PRIMARY KEY (app_id, group_id)
        );
        """

    /// Products' content, on-demand resources, and uploads of both on their way. `ContentStore`
    /// keeps the bytes by their digests.
    private static let content = """
        -- The owner is a product, or the tag of on-demand resources; these have a kind, and the
        -- app's version as theirs. Devices that have begun may fetch removed content for a while,
        -- by the real clock.
        CREATE TABLE content_version (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            owner TEXT NOT NULL,
            version TEXT NOT NULL,
            upload_id TEXT NOT NULL,
            file_count BIGINT NOT NULL,
            byte_count BIGINT NOT NULL,
            added_ms BIGINT NOT NULL,
            removed_real_ms BIGINT,
            resource_kind TEXT CHECK (resource_kind IN ('initial', 'prefetch', 'onDemand'))
        );
        CREATE INDEX content_version_by_owner ON content_version (app_id, owner, number);

        CREATE TABLE content_file (
            version_number BIGINT NOT NULL REFERENCES content_version (number),
            path TEXT NOT NULL,
            byte_count BIGINT NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (version_number, path)
        );
        CREATE INDEX content_file_by_digest ON content_file (version_number, digest);

        CREATE TABLE content_upload (
            id TEXT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            owner TEXT NOT NULL,
            version TEXT NOT NULL,
            begun_real_ms BIGINT NOT NULL,
            resource_kind TEXT CHECK (resource_kind IN ('initial', 'prefetch', 'onDemand'))
        );

        CREATE TABLE content_upload_file (
            upload_id TEXT NOT NULL REFERENCES content_upload (id),
            path TEXT NOT NULL,
            byte_count BIGINT NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (upload_id, path)
        );
        CREATE INDEX content_upload_file_by_digest ON content_upload_file (upload_id, digest);
        """

    /// Customers' accounts, and their families.
    private static let accounts = """
        -- Locks run on the real clock, whatever the world's says. A lock that the owner sets has
        -- a reason, which may be empty. A deleted account's name is a pseudonym. The hash is
        -- empty for an account without a password. One with a `deleted_transaction_id` stands for
        -- that transaction, which a test deleted.
        CREATE TABLE account (
            id BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            name TEXT NOT NULL,
            storefront TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            failures BIGINT NOT NULL,
            locked_until_real_ms BIGINT,
            created_ms BIGINT NOT NULL,
            lock_reason TEXT,
            lock_until_real_ms BIGINT,
            needs_approval BIGINT NOT NULL DEFAULT 0,
            interrupts_purchases BIGINT NOT NULL DEFAULT 0,
            deleted_ms BIGINT,
            fails_renewals BIGINT NOT NULL DEFAULT 0,
            deleted_transaction_id BIGINT,
            UNIQUE (environment, name)
        );

        -- Guesses at names that no account has: these are locked like known ones, so that a lock
        -- reveals nothing. Only a digest is kept, because people type passwords into the wrong
        -- field.
        CREATE TABLE unknown_name (
            digest BLOB PRIMARY KEY,
            failures BIGINT NOT NULL,
            locked_until_real_ms BIGINT,
            changed_real_ms BIGINT NOT NULL
        );
        CREATE INDEX unknown_name_by_change ON unknown_name (changed_real_ms);

        CREATE TABLE family (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            made_ms BIGINT NOT NULL
        );

        -- An account is in one family at most.
        CREATE TABLE family_member (
            account_id BIGINT PRIMARY KEY REFERENCES account (id),
            family_number BIGINT NOT NULL REFERENCES family (number),
            position BIGINT NOT NULL,
            is_organiser BIGINT NOT NULL,
            shares_purchases BIGINT NOT NULL,
            joined_ms BIGINT NOT NULL
        );
        CREATE INDEX family_member_by_family ON family_member (family_number, position);
        """

    /// The devices and the accounts signed in on them.
    private static let devices = """
        CREATE TABLE device (
            id BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            guid TEXT NOT NULL,
            app_version TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            locked_until_real_ms BIGINT,
            UNIQUE (environment, app_id, guid)
        );

        -- When, with which version and how an account got an app.
        CREATE TABLE app_transaction (
            id BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account (id),
            app_id BIGINT NOT NULL REFERENCES app (id),
            purchased_ms BIGINT NOT NULL,
            app_version TEXT NOT NULL,
            platform TEXT NOT NULL,
            is_volume BIGINT NOT NULL,
            UNIQUE (account_id, app_id)
        );

        -- The accounts that have signed in on a device: strangers' guesses do not lock them out there.
        CREATE TABLE device_account (
            device_id BIGINT NOT NULL REFERENCES device (id),
            account_id BIGINT NOT NULL REFERENCES account (id),
            PRIMARY KEY (device_id, account_id)
        );
        CREATE INDEX device_account_by_account ON device_account (account_id);

        CREATE TABLE device_token (
            digest BLOB PRIMARY KEY,
            device_id BIGINT NOT NULL REFERENCES device (id),
            account_id BIGINT REFERENCES account (id),
            expires_real_ms BIGINT NOT NULL
        );
        CREATE INDEX device_token_by_device ON device_token (device_id);
        CREATE INDEX device_token_by_account ON device_token (account_id);

        \(deviceGuesses)
        """

    /// Wrong passwords that were typed on devices.
    private static let deviceGuesses = """
        -- By a digest of the name that they were typed for, whether or not an account has it.
        CREATE TABLE device_guess (
            device_id BIGINT NOT NULL REFERENCES device (id),
            name_digest BLOB NOT NULL,
            failures BIGINT NOT NULL,
            changed_real_ms BIGINT NOT NULL,
            PRIMARY KEY (device_id, name_digest)
        );
        CREATE INDEX device_guess_by_name ON device_guess (name_digest);
        """

    /// Attempts, the transactions they led to, and purchases that wait.
    private static let purchases = """
        -- `missing_milliunits` is what the account lacked when it could not pay; `finished_ms` is
        -- when the app finished the answer to a payment that only changed a renewal.
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
            missing_milliunits BIGINT,
            missing_currency TEXT,
            finished_ms BIGINT,
            PRIMARY KEY (device_id, attempt_id)
        );

        -- A restored transaction names the restore and the purchase it gives back; one that paid
        -- for a period of a subscription has that period, and `upgraded_ms` when another product
        -- took its place; a family member's copy names the transaction it shares. These columns
        -- are null elsewhere.
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
            restore_id TEXT,
            restored_id BIGINT,
            subscription_group TEXT,
            expires_ms BIGINT,
            is_renewal BIGINT,
            offer_kind TEXT,
            offer_id TEXT,
            offer_mode TEXT,
            upgraded_ms BIGINT,
            shared_id BIGINT,
            shared_original_id BIGINT,
            offer_period TEXT,
            UNIQUE (device_id, attempt_id)
        );
        CREATE INDEX transaction_unfinished ON store_transaction (account_id, app_id, id)
            WHERE finished_ms IS NULL;
        CREATE INDEX transaction_by_product ON store_transaction (app_id, product_id);
        -- A restore gives each purchase back once.
        CREATE UNIQUE INDEX transaction_by_restore
            ON store_transaction (device_id, restore_id, restored_id)
            WHERE restore_id IS NOT NULL;
        CREATE INDEX transaction_by_restored ON store_transaction (device_id, restored_id)
            WHERE restored_id IS NOT NULL;
        CREATE INDEX transaction_copies ON store_transaction (shared_id)
            WHERE shared_id IS NOT NULL;
        CREATE INDEX transaction_shared
            ON store_transaction (account_id, shared_original_id, id)
            WHERE shared_original_id IS NOT NULL;
        -- The one way to what an account owns, in the order of the purchases: each index costs a
        -- page with every renewal. The product is in it, so that no other rows are read.
        -- Restores and consumables, which can be many, stay outside.
        CREATE INDEX transaction_lasting
            ON store_transaction (account_id, app_id, id, product_id)
            WHERE restore_id IS NULL AND kind <> 'consumable';

        -- Waits for an approval, for the person or for a payment. Holds what the attempt asked
        -- for, the nonce that it used up and gives back when nothing is sold, the approved price,
        -- and whether an app's server allowed an introductory offer. A test's says when it was made,
        -- null for when it is answered, and whether it turns renewal off; null for any other.
        CREATE TABLE waiting_purchase (
            number BIGINT PRIMARY KEY,
            device_id BIGINT NOT NULL REFERENCES device (id),
            attempt_id TEXT NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account (id),
            cause TEXT NOT NULL CHECK (cause IN ('approval', 'interruption', 'payment')),
            product_id TEXT NOT NULL,
            quantity BIGINT NOT NULL,
            application_username TEXT,
            shown_milliunits BIGINT,
            shown_currency TEXT,
            asked_ms BIGINT NOT NULL,
            answer TEXT CHECK (answer IN ('approved', 'declined')),
            answered_ms BIGINT,
            promotional_offer_id TEXT,
            offer_nonce TEXT,
            approved_milliunits BIGINT,
            approved_currency TEXT,
            win_back_offer_id TEXT,
            is_introduction_allowed BIGINT,
            test_purchased_ms BIGINT,
            test_cancels BIGINT,
            UNIQUE (device_id, attempt_id),
            CHECK ((answer IS NULL) = (answered_ms IS NULL))
        );
        CREATE INDEX waiting_purchase_by_account ON waiting_purchase (account_id, number)
            WHERE answer IS NULL;
        CREATE INDEX waiting_purchase_by_cause ON waiting_purchase (cause, number)
            WHERE answer IS NULL;

        CREATE TABLE restore (
            device_id BIGINT NOT NULL REFERENCES device (id),
            restore_id TEXT NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account (id),
            application_username TEXT,
            PRIMARY KEY (device_id, restore_id)
        );

        -- A page looks at the purchases after one and up to another; null in the last page.
        CREATE TABLE restore_page (
            device_id BIGINT NOT NULL,
            restore_id TEXT NOT NULL,
            after_id BIGINT NOT NULL,
            last_id BIGINT,
            given_ms BIGINT NOT NULL,
            PRIMARY KEY (device_id, restore_id, after_id)
        );
        """

    /// The revisions from which receipts were made.
    private static let receipts = """
        -- Counts the changes of what an account's receipt for an app shows.
        CREATE TABLE receipt_revision (
            account_id BIGINT NOT NULL,
            app_id BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            PRIMARY KEY (account_id, app_id)
        );

        -- What a device's receipt was made of, so that the same revision is the same receipt.
        CREATE TABLE device_receipt (
            device_id BIGINT PRIMARY KEY REFERENCES device (id),
            account_id BIGINT NOT NULL,
            app_version TEXT NOT NULL,
            revision BIGINT NOT NULL,
            opaque BLOB NOT NULL,
            created_ms BIGINT NOT NULL
        );
        """

    /// Auto-renewable subscriptions, price increases, and refunds of periods.
    private static let subscriptions = """
        -- One row for an account, an app and a group, from the first purchase on, which
        -- `original_id` names; `newest_id` is the transaction of the newest period. Renewals are
        -- delivered as purchases of the device on which the last purchase was made by hand.
        CREATE TABLE subscription (
            original_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            account_id BIGINT NOT NULL REFERENCES account (id),
            subscription_group TEXT NOT NULL,
            newest_id BIGINT NOT NULL REFERENCES store_transaction (id),
            device_id BIGINT NOT NULL REFERENCES device (id),
            application_username TEXT,
            fails_billing BIGINT NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN (
                'active', 'gracePeriod', 'billingRetry', 'expired', 'revoked')),
            expiration_reason BIGINT,
            grace_until_ms BIGINT,
            product_id TEXT NOT NULL,
            period TEXT NOT NULL,
            first_ms BIGINT NOT NULL,
            started_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            anchor_ms BIGINT NOT NULL,
            anchor_months BIGINT NOT NULL,
            price_milliunits BIGINT NOT NULL,
            currency TEXT NOT NULL,
            is_auto_renewing BIGINT NOT NULL,
            next_product_id TEXT,
            next_offer TEXT,
            offer_kind TEXT,
            offer_id TEXT,
            offer_mode TEXT,
            offer_milliunits BIGINT,
            offer_periods_left BIGINT,
            increase_milliunits BIGINT,
            increase_consent TEXT,
            retry_ends_ms BIGINT,
            retry_next_ms BIGINT,
            renewal_count BIGINT NOT NULL,
            due_ms BIGINT,
            payment_id TEXT,
            is_raised BIGINT NOT NULL DEFAULT 0,
            increase_question BIGINT REFERENCES price_consent (number),
            offer_period TEXT,
            run_started_ms BIGINT NOT NULL DEFAULT 0,
            UNIQUE (account_id, app_id, subscription_group),
            CHECK ((phase = 'expired') = (expiration_reason IS NOT NULL)),
            CHECK ((phase = 'gracePeriod') = (grace_until_ms IS NOT NULL)),
            CHECK ((phase IN ('expired', 'revoked')) = (due_ms IS NULL))
        );
        -- A subscription that waits for its payment is not due for anything else.
        CREATE INDEX subscription_due ON subscription (due_ms, original_id)
            WHERE due_ms IS NOT NULL AND payment_id IS NULL;
        CREATE INDEX subscription_awaiting_payment ON subscription (due_ms)
            WHERE payment_id IS NOT NULL;

        -- Questions whether an account goes on at a higher price, with their answers.
        CREATE TABLE price_consent (
            number BIGINT PRIMARY KEY,
            account_id BIGINT NOT NULL REFERENCES account (id),
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            old_milliunits BIGINT NOT NULL,
            new_milliunits BIGINT NOT NULL,
            currency TEXT NOT NULL,
            asked_ms BIGINT NOT NULL,
            answer TEXT CHECK (answer IN ('agreed', 'declined')),
            answered_ms BIGINT,
            withdrawn_ms BIGINT,
            CHECK (new_milliunits > old_milliunits),
            CHECK ((answer IS NULL) = (answered_ms IS NULL))
        );
        CREATE INDEX price_consent_by_product
            ON price_consent (account_id, app_id, product_id, number);
        CREATE UNIQUE INDEX price_consent_pending
            ON price_consent (account_id, app_id, product_id)
            WHERE answer IS NULL AND withdrawn_ms IS NULL;

        -- What of a charge is given back for an upgrade; the charge stays as it was recorded.
        CREATE TABLE refund (
            number BIGINT PRIMARY KEY,
            transaction_id BIGINT NOT NULL REFERENCES store_transaction (id),
            cause TEXT NOT NULL CHECK (cause IN ('upgrade')),
            milliunits BIGINT NOT NULL CHECK (milliunits > 0),
            currency TEXT NOT NULL,
            at_ms BIGINT NOT NULL,
            UNIQUE (transaction_id, cause)
        );

        \(massExtensions)
        """

    private static let massExtensions = """
        -- An app's server's request to extend all subscribers of a product. Subscriptions up to
        -- `position` are done; those after `last_id` began later. `request_key` is the identifier
        -- in small letters, `storefronts` a list with commas, null for all.
        CREATE TABLE mass_extension (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL REFERENCES app (id),
            request_key TEXT NOT NULL,
            request_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            days BIGINT NOT NULL,
            storefronts TEXT,
            asked_ms BIGINT NOT NULL,
            last_id BIGINT NOT NULL,
            position BIGINT NOT NULL,
            succeeded BIGINT NOT NULL DEFAULT 0,
            failed BIGINT NOT NULL DEFAULT 0,
            completed_ms BIGINT,
            UNIQUE (app_id, environment, request_key)
        );
        CREATE INDEX mass_extension_open ON mass_extension (number) WHERE completed_ms IS NULL;
        """

    /// Keys that offers are signed with, used nonces, offer codes and their redemptions.
    private static let offers = """
        -- Its times are real: servers sign by theirs.
        CREATE TABLE offer_key (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            key_id TEXT NOT NULL,
            public_key BLOB NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('made', 'catalogue')),
            made_real_ms BIGINT NOT NULL,
            revoked_real_ms BIGINT,
            UNIQUE (app_id, key_id)
        );

        -- Keys revoked in worlds that this one replaced. A digest is of one app's key.
        CREATE TABLE revoked_offer_key (
            digest BLOB PRIMARY KEY,
            revoked_real_ms BIGINT NOT NULL
        );

        CREATE TABLE offer_nonce (
            app_id BIGINT NOT NULL REFERENCES app (id),
            nonce TEXT NOT NULL,
            kept_until_real_ms BIGINT NOT NULL,
            PRIMARY KEY (app_id, nonce)
        );
        CREATE INDEX offer_nonce_by_end ON offer_nonce (kept_until_real_ms);

        -- Codes outlive their product, so they name no row of it.
        CREATE TABLE offer_code (
            number BIGINT PRIMARY KEY,
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            offer_id TEXT NOT NULL,
            word TEXT,
            redemptions_max BIGINT NOT NULL,
            expires_ms BIGINT,
            made_ms BIGINT NOT NULL,
            deactivated_ms BIGINT,
            UNIQUE (app_id, word)
        );
        CREATE INDEX offer_code_by_product ON offer_code (app_id, product_id, number);

        CREATE TABLE one_time_code (
            digest BLOB PRIMARY KEY,
            code_number BIGINT NOT NULL REFERENCES offer_code (number)
        );

        -- The ordinal counts a code's redemptions from 1; a digest is of a one-time code. The
        -- unique indexes refuse a second redemption.
        CREATE TABLE offer_redemption (
            code_number BIGINT NOT NULL REFERENCES offer_code (number),
            ordinal BIGINT NOT NULL,
            digest BLOB,
            account_id BIGINT NOT NULL REFERENCES account (id),
            transaction_id BIGINT,
            at_ms BIGINT NOT NULL,
            PRIMARY KEY (code_number, ordinal)
        );
        CREATE INDEX offer_redemption_by_account ON offer_redemption (account_id);
        CREATE UNIQUE INDEX offer_redemption_one_time ON offer_redemption (digest)
            WHERE digest IS NOT NULL;
        CREATE UNIQUE INDEX offer_redemption_custom
            ON offer_redemption (code_number, account_id)
            WHERE digest IS NULL;
        """

    /// Store credit: a ledger that only grows, each customer's balance, and gift codes.
    private static let money = """
        -- A transaction's row may come after its charge in the same commit, so this names no row
        -- of it.
        CREATE TABLE ledger_entry (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN (
                'topUp', 'giftCode', 'charge', 'refund', 'correction', 'payment', 'payout')),
            at_ms BIGINT NOT NULL,
            reference TEXT NOT NULL UNIQUE,
            transaction_id BIGINT,
            note TEXT,
            CHECK ((transaction_id IS NOT NULL) = (kind IN ('charge', 'refund')))
        );
        CREATE INDEX ledger_entry_by_transaction ON ledger_entry (transaction_id, number)
            WHERE transaction_id IS NOT NULL;
        CREATE TRIGGER ledger_entry_stays BEFORE UPDATE ON ledger_entry
        BEGIN SELECT RAISE(ABORT, 'ledger_entry is only ever added to'); END;
        CREATE TRIGGER ledger_entry_is_kept BEFORE DELETE ON ledger_entry
        WHEN NOT EXISTS (SELECT 1 FROM history_reset)
        BEGIN SELECT RAISE(ABORT, 'ledger_entry is only ever added to'); END;

        -- Accounts of which there is only one have 0 as their id.
        CREATE TABLE ledger_posting (
            entry_number BIGINT NOT NULL REFERENCES ledger_entry (number),
            account_kind TEXT NOT NULL CHECK (account_kind IN (
                'customer', 'developer', 'giftCodes', 'funding', 'provider')),
            account_id BIGINT NOT NULL,
            milliunits BIGINT NOT NULL CHECK (milliunits <> 0),
            currency TEXT NOT NULL,
            PRIMARY KEY (entry_number, account_kind, account_id)
        );
        CREATE INDEX ledger_posting_by_account
            ON ledger_posting (account_kind, account_id, currency, entry_number);
        CREATE TRIGGER ledger_posting_stays BEFORE UPDATE ON ledger_posting
        BEGIN SELECT RAISE(ABORT, 'ledger_posting is only ever added to'); END;
        CREATE TRIGGER ledger_posting_is_kept BEFORE DELETE ON ledger_posting
        WHEN NOT EXISTS (SELECT 1 FROM history_reset)
        BEGIN SELECT RAISE(ABORT, 'ledger_posting is only ever added to'); END;

        -- The sum of a customer's postings, kept in the commit of each.
        CREATE TABLE credit_balance (
            account_id BIGINT NOT NULL REFERENCES account (id),
            currency TEXT NOT NULL,
            milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
            PRIMARY KEY (account_id, currency)
        );

        CREATE TABLE gift_code (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE,
            milliunits BIGINT NOT NULL CHECK (milliunits > 0),
            currency TEXT NOT NULL,
            made_ms BIGINT NOT NULL,
            expires_ms BIGINT,
            voided_ms BIGINT,
            redeemed_account_id BIGINT REFERENCES account (id),
            redeemed_ms BIGINT,
            CHECK ((redeemed_account_id IS NULL) = (redeemed_ms IS NULL)),
            CHECK (voided_ms IS NULL OR redeemed_ms IS NULL)
        );
        """

    /// Payments and refunds asked of a payment provider.
    private static let payments = """
        -- `next_real_ms` is when the provider is asked next, null when never again.
        CREATE TABLE payment (
            id TEXT PRIMARY KEY,
            number BIGINT NOT NULL UNIQUE,
            environment TEXT NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account (id),
            app_id BIGINT NOT NULL REFERENCES app (id),
            product_id TEXT NOT NULL,
            waiting_number BIGINT REFERENCES waiting_purchase (number),
            subscription_id BIGINT REFERENCES subscription (original_id),
            milliunits BIGINT NOT NULL CHECK (milliunits > 0),
            currency TEXT NOT NULL,
            asked_ms BIGINT NOT NULL,
            asked_real_ms BIGINT NOT NULL,
            state TEXT NOT NULL CHECK (state IN (
                'authorizing', 'declined', 'capturing', 'captured', 'voiding', 'voided', 'failed')),
            captured_milliunits BIGINT CHECK (captured_milliunits BETWEEN 1 AND milliunits),
            transaction_id BIGINT UNIQUE,
            reference TEXT,
            reason TEXT,
            tries BIGINT NOT NULL,
            next_real_ms BIGINT,
            is_approved BIGINT NOT NULL DEFAULT 0,
            CHECK ((waiting_number IS NULL) <> (subscription_id IS NULL)),
            CHECK ((captured_milliunits IS NULL) = (transaction_id IS NULL)),
            CHECK ((state IN ('authorizing', 'capturing', 'voiding')) = (next_real_ms IS NOT NULL))
        );
        CREATE INDEX payment_by_account ON payment (account_id, number);
        CREATE INDEX payment_by_waiting ON payment (waiting_number);
        -- Each line to the provider has an index in the order in which payments are due; a
        -- payment is in one at most.
        CREATE INDEX payment_purchases_due ON payment (next_real_ms)
            WHERE state = 'authorizing' AND waiting_number IS NOT NULL;
        CREATE INDEX payment_renewals_due ON payment (next_real_ms)
            WHERE state = 'authorizing' AND subscription_id IS NOT NULL;
        CREATE INDEX payment_settlements_due ON payment (next_real_ms)
            WHERE state IN ('capturing', 'voiding');
        -- Approved, and waiting for another payment of its account.
        CREATE INDEX payment_put_off ON payment (account_id)
            WHERE is_approved <> 0 AND state = 'authorizing';

        CREATE TABLE payment_refund (
            id TEXT PRIMARY KEY,
            number BIGINT NOT NULL UNIQUE,
            payment_id TEXT NOT NULL REFERENCES payment (id),
            milliunits BIGINT NOT NULL CHECK (milliunits > 0),
            currency TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('refunding', 'refunded', 'failed')),
            reason TEXT,
            tries BIGINT NOT NULL,
            next_real_ms BIGINT,
            CHECK ((state = 'refunding') = (next_real_ms IS NOT NULL))
        );
        CREATE INDEX payment_refund_by_payment ON payment_refund (payment_id);
        CREATE INDEX payment_refund_due ON payment_refund (next_real_ms)
            WHERE next_real_ms IS NOT NULL;
        """

    /// Refund requests, and purchases taken back. The charge stays as it was recorded.
    private static let refunds = """
        -- One for a purchase at most. The answer's columns are null together until the app has
        -- answered, those of the grant until it is granted.
        CREATE TABLE refund_request (
            transaction_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
            reason TEXT NOT NULL,
            requested_ms BIGINT NOT NULL,
            answered_ms BIGINT,
            consented BIGINT,
            consumed_percentage BIGINT,
            delivery TEXT,
            preference TEXT,
            sampled BIGINT,
            granted_ms BIGINT,
            grant_type TEXT,
            grant_percentage BIGINT CHECK (grant_percentage BETWEEN 0 AND 100000),
            grant_milliunits BIGINT CHECK (grant_milliunits >= 0),
            currency TEXT,
            declined_ms BIGINT,
            reversed_ms BIGINT,
            CHECK ((answered_ms IS NULL) = (delivery IS NULL)),
            CHECK ((answered_ms IS NULL) = (consented IS NULL)),
            CHECK ((answered_ms IS NULL) = (sampled IS NULL)),
            CHECK ((granted_ms IS NULL) = (grant_type IS NULL)),
            CHECK ((granted_ms IS NULL) = (grant_percentage IS NULL)),
            CHECK ((granted_ms IS NULL) = (grant_milliunits IS NULL)),
            CHECK ((granted_ms IS NULL) = (currency IS NULL)),
            CHECK (declined_ms IS NULL OR granted_ms IS NULL),
            CHECK (reversed_ms IS NULL OR granted_ms IS NOT NULL)
        );

        -- `refund_id` is the request that took the purchase back, null when that was done by
        -- hand. A reversal deletes the row.
        CREATE TABLE revocation (
            transaction_id BIGINT PRIMARY KEY REFERENCES store_transaction (id),
            reason TEXT NOT NULL CHECK (reason IN ('issue', 'other')),
            at_ms BIGINT NOT NULL,
            refund_id BIGINT REFERENCES refund_request (transaction_id)
        );
        """

    /// The key-value store of each account in each app.
    private static let keyValues = """
        -- A removed key stays as a row without a value, so that devices learn of it.
        CREATE TABLE key_value (
            account_id BIGINT NOT NULL REFERENCES account (id),
            app_id BIGINT NOT NULL REFERENCES app (id),
            name TEXT NOT NULL,
            value TEXT,
            byte_count BIGINT NOT NULL,
            revision BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL,
            PRIMARY KEY (account_id, app_id, name)
        );
        CREATE INDEX key_value_by_revision ON key_value (account_id, app_id, revision);

        -- Rows removed up to `forgotten` may be gone: a device that knows less gets everything.
        CREATE TABLE key_value_revision (
            account_id BIGINT NOT NULL REFERENCES account (id),
            app_id BIGINT NOT NULL REFERENCES app (id),
            revision BIGINT NOT NULL,
            forgotten BIGINT NOT NULL,
            PRIMARY KEY (account_id, app_id)
        );

        -- The newest requests of a device, which may come again when an answer was lost.
        CREATE TABLE key_value_request (
            device_id BIGINT NOT NULL REFERENCES device (id),
            request_id TEXT NOT NULL,
            account_id BIGINT NOT NULL REFERENCES account (id),
            digest BLOB NOT NULL,
            number BIGINT NOT NULL,
            PRIMARY KEY (device_id, request_id)
        );
        """

    /// The history, and its readers' positions.
    private static let events = """
        -- `transaction_id` is null for events of no transaction, such as a new storefront.
        CREATE TABLE event (
            number BIGINT PRIMARY KEY,
            environment TEXT NOT NULL,
            app_id BIGINT NOT NULL,
            account_id BIGINT NOT NULL,
            kind TEXT NOT NULL,
            transaction_id BIGINT,
            subject TEXT,
            at_ms BIGINT NOT NULL
        );
        CREATE INDEX event_by_account ON event (account_id, app_id, number);

        CREATE TABLE event_cursor (
            reader TEXT PRIMARY KEY,
            number BIGINT NOT NULL,
            changed_ms BIGINT NOT NULL
        );
        """

    /// What apps' servers are notified of, and where they are.
    private static let notifications = """
        -- `authority` is the PEM text of the certificates to trust instead of the system's,
        -- `password` the shared secret that notifications of version 1 carry. The columns from `seed` on say how deliveries are spoilt, in percent.
        CREATE TABLE notification_target (
            app_id BIGINT NOT NULL REFERENCES app (id),
            environment TEXT NOT NULL,
            url TEXT NOT NULL,
            version BIGINT NOT NULL CHECK (version IN (1, 2)),
            allows_private BIGINT NOT NULL,
            authority TEXT,
            password TEXT,
            seed BIGINT NOT NULL,
            dropped BIGINT NOT NULL,
            duplicated BIGINT NOT NULL,
            reordered BIGINT NOT NULL,
            delayed BIGINT NOT NULL,
            delay_ms BIGINT NOT NULL,
            PRIMARY KEY (app_id, environment)
        );

        -- The headers of signed notifications, which all of a world's share until its certificates
        -- change.
        CREATE TABLE signed_head (
            number BIGINT PRIMARY KEY,
            head TEXT NOT NULL UNIQUE
        );

        -- Notifications of one lane, an original transaction, are first attempted in their order.
        -- `due_ms` is null when no attempt is to come; one that `is_behind` waits for a later one's
        -- attempt.
        CREATE TABLE notification (
            number BIGINT PRIMARY KEY,
            uuid TEXT NOT NULL,
            event_number BIGINT,
            app_id BIGINT NOT NULL REFERENCES app (id),
            environment TEXT NOT NULL,
            version BIGINT NOT NULL,
            kind TEXT NOT NULL,
            subtype TEXT,
            account_id BIGINT REFERENCES account (id),
            lane BIGINT NOT NULL,
            made_ms BIGINT NOT NULL,
            head_number BIGINT REFERENCES signed_head (number),
            signature TEXT,
            transaction_signature TEXT,
            renewal_signature TEXT,
            is_signed BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            last_result TEXT,
            due_ms BIGINT,
            is_behind BIGINT NOT NULL,
            CHECK ((is_signed <> 0) OR (attempts = 0))
        );
        CREATE INDEX notification_unsigned ON notification (number) WHERE is_signed = 0;
        CREATE INDEX notification_due ON notification (app_id, environment, due_ms, number)
            WHERE due_ms IS NOT NULL;
        CREATE INDEX notification_by_account ON notification (account_id, made_ms, number)
            WHERE account_id IS NOT NULL;

        CREATE TABLE notification_attempt (
            notification_number BIGINT NOT NULL REFERENCES notification (number),
            place BIGINT NOT NULL,
            at_ms BIGINT NOT NULL,
            result TEXT NOT NULL,
            PRIMARY KEY (notification_number, place)
        );
        """

    /// What notifications say, apart from what changes while they are signed and delivered: it is
    /// most of the bytes, and written once.
    private static let notificationTexts = """
        -- Payloads as they were when it happened, JSON with room for what is signed; each is signed
        -- once, so that it is the same however often it is sent. `receipt_payload` is that of
        -- version 1 until it is signed, and then part of the body.
        CREATE TABLE notification_text (
            number BIGINT PRIMARY KEY REFERENCES notification (number),
            body TEXT NOT NULL,
            transaction_payload TEXT,
            renewal_payload TEXT,
            receipt_payload BLOB
        );
        """

    /// Indices of signed notifications: for the history that an app's server asks for, and for the
    /// headers that a sweep deletes. The worker writes them, for many at once; the commits of
    /// purchases, whose notifications are unsigned, do not.
    private static let noticeHistory = """
        CREATE INDEX notification_by_kind
            ON notification (app_id, environment, kind, (coalesce(subtype, '')), made_ms, number)
            WHERE is_signed <> 0 AND version = 2;
        CREATE INDEX notification_failed
            ON notification (app_id, environment, kind, (coalesce(subtype, '')), made_ms, number)
            WHERE is_signed <> 0 AND version = 2 AND attempts > 0 AND last_result <> 'SUCCESS';
        CREATE INDEX notification_by_head ON notification (head_number)
            WHERE head_number IS NOT NULL;
        """
}
