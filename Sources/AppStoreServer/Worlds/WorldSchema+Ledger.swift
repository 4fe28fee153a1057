import StoreDatabase

extension WorldSchema {
    /// Store credit: a ledger that only grows, what it comes to for each customer, and gift codes.
    static let ledger = Migration(
        number: 15,
        statements: [historyReset]
            + ledgerTables(
                entryKinds: ["topUp", "giftCode", "charge", "refund", "correction"],
                accountKinds: ["customer", "developer", "giftCodes", "funding"])
            + ledgerGuards + [creditBalance, giftCodes])

    // Has a row only within the commit that empties the history: nothing else may remove entries.
    private static let historyReset =
        "CREATE TABLE history_reset (id BIGINT PRIMARY KEY CHECK (id = 1))"

    // A transaction's row may come after its charge in the same commit, so none is named as key.
    static func ledgerTables(entryKinds: [String], accountKinds: [String]) -> [String] {
        [
            """
            CREATE TABLE ledger_entry (
                number BIGINT PRIMARY KEY,
                environment TEXT NOT NULL,
                kind TEXT NOT NULL
                    CHECK (kind IN (\(listed(entryKinds)))),
                at_ms BIGINT NOT NULL,
                reference TEXT NOT NULL UNIQUE,
                transaction_id BIGINT,
                note TEXT,
                CHECK ((transaction_id IS NOT NULL) = (kind IN ('charge', 'refund')))
            )
            """,
            """
            CREATE INDEX ledger_entry_by_transaction ON ledger_entry (transaction_id, number)
                WHERE transaction_id IS NOT NULL
            """,
            // Accounts of which there is one have 0 as their id.
            """
            CREATE TABLE ledger_posting (
                entry_number BIGINT NOT NULL REFERENCES ledger_entry (number),
                account_kind TEXT NOT NULL
                    CHECK (account_kind IN (\(listed(accountKinds)))),
                account_id BIGINT NOT NULL,
                milliunits BIGINT NOT NULL CHECK (milliunits <> 0),
                currency TEXT NOT NULL,
                PRIMARY KEY (entry_number, account_kind, account_id)
            )
            """,
            """
            CREATE INDEX ledger_posting_by_account
                ON ledger_posting (account_kind, account_id, currency, entry_number)
            """,
        ]
    }

    /// As SQL lists texts.
    static func listed(_ words: [String]) -> String {
        words.map { "'\($0)'" }.joined(separator: ", ")
    }

    static let ledgerGuards = ["ledger_entry", "ledger_posting"].flatMap { table in
        [
            """
            CREATE TRIGGER \(table)_stays BEFORE UPDATE ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(table) is only ever added to'); END
            """,
            """
            CREATE TRIGGER \(table)_is_kept BEFORE DELETE ON \(table)
            WHEN NOT EXISTS (SELECT 1 FROM history_reset)
            BEGIN SELECT RAISE(ABORT, '\(table) is only ever added to'); END
            """,
        ]
    }

    // The sum of a customer's postings, kept in the commit of each.
    private static let creditBalance = """
        CREATE TABLE credit_balance (
            account_id BIGINT NOT NULL REFERENCES account (id),
            currency TEXT NOT NULL,
            milliunits BIGINT NOT NULL CHECK (milliunits >= 0),
            PRIMARY KEY (account_id, currency)
        )
        """

    private static let giftCodes = """
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
        )
        """
}
