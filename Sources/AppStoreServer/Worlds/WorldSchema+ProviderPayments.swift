import StoreDatabase

extension WorldSchema {
    /// What a payment provider is asked for, and the ledger's entries of it.
    static let providerPayments = Migration(
        number: 22,
        statements: ledgerWithProvider + waitingForPayments + paymentTables + renewalsThatWait)

    // SQLite changes no CHECK: both tables are made anew with what they hold, since one refers to
    // the other.
    private static let ledgerWithProvider =
        ["ledger_entry", "ledger_posting"].flatMap {
            ["DROP TRIGGER \($0)_stays", "DROP TRIGGER \($0)_is_kept"]
        } + [
            "DROP INDEX ledger_entry_by_transaction", "DROP INDEX ledger_posting_by_account",
            "ALTER TABLE ledger_posting RENAME TO ledger_posting_before",
            "ALTER TABLE ledger_entry RENAME TO ledger_entry_before",
        ]
        + ledgerTables(
            entryKinds: [
                "topUp", "giftCode", "charge", "refund", "correction", "payment", "payout",
            ],
            accountKinds: ["customer", "developer", "giftCodes", "funding", "provider"])
        + ["ledger_entry", "ledger_posting"].map {
            "INSERT INTO \($0) SELECT * FROM \($0)_before"
        }
        + ["DROP TABLE ledger_posting_before", "DROP TABLE ledger_entry_before"] + ledgerGuards

    private static let waitingForPayments =
        [
            "DROP INDEX waiting_purchase_by_account", "DROP INDEX waiting_purchase_by_cause",
            "ALTER TABLE waiting_purchase RENAME TO waiting_purchase_before",
        ] + waitingPurchaseTable(causes: ["approval", "interruption", "payment"]) + [
            "ALTER TABLE waiting_purchase ADD COLUMN promotional_offer_id TEXT",
            "INSERT INTO waiting_purchase SELECT * FROM waiting_purchase_before",
            "DROP TABLE waiting_purchase_before",
        ]

    // `next_real_ms` is when the provider is asked next, null when never again.
    private static let paymentTables = [
        """
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
            CHECK ((waiting_number IS NULL) <> (subscription_id IS NULL)),
            CHECK ((captured_milliunits IS NULL) = (transaction_id IS NULL)),
            CHECK ((state IN ('authorizing', 'capturing', 'voiding')) = (next_real_ms IS NOT NULL))
        )
        """,
        "CREATE INDEX payment_due ON payment (next_real_ms) WHERE next_real_ms IS NOT NULL",
        "CREATE INDEX payment_by_account ON payment (account_id, number)",
        "CREATE INDEX payment_by_waiting ON payment (waiting_number)",
        """
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
        )
        """,
        "CREATE INDEX payment_refund_by_payment ON payment_refund (payment_id)",
        """
        CREATE INDEX payment_refund_due ON payment_refund (next_real_ms)
            WHERE next_real_ms IS NOT NULL
        """,
    ]

    // What waits for its payment is not due for anything else.
    private static let renewalsThatWait = [
        "ALTER TABLE environment ADD COLUMN asks_provider BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE subscription ADD COLUMN payment_id TEXT",
        "DROP INDEX subscription_due",
        """
        CREATE INDEX subscription_due ON subscription (due_ms, original_id)
            WHERE due_ms IS NOT NULL AND payment_id IS NULL
        """,
        """
        CREATE INDEX subscription_awaiting_payment ON subscription (due_ms)
            WHERE payment_id IS NOT NULL
        """,
    ]
}
