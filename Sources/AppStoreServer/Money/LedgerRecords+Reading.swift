import StoreDatabase
import StoreModel
import StoreRules

/// An entry as its customer's statement shows it.
struct StatementEntry: Sendable {
    let number: LedgerEntryNumber
    let kind: LedgerEntryKind
    let at: Timestamp
    let reference: String
    let transaction: TransactionID?
    let note: String?
    /// The amount that the customer got; below 0 when they lost it.
    let amount: Money
    /// Their balance after it, in its currency.
    let balance: Money
}

let ledgerEntryColumns = """
    number, environment, kind, at_ms, reference, transaction_id, note
    """

private let statementEntries = """
    SELECT number, account_id, kind, at_ms, reference, transaction_id, note, milliunits, currency
    FROM ledger_posting JOIN ledger_entry ON number = entry_number
    """

extension ReadScope {
    /// An account's credit in a currency.
    borrowing func credit(of account: AccountID, in currency: Currency) throws -> Money {
        let found: Int64? = try value(
            "SELECT milliunits FROM credit_balance WHERE account_id = ?1 AND currency = ?2",
            [account, currency.code])
        return Money(milliunits: found ?? 0, currency: currency)
    }

    /// Its credit in every currency that it ever had, by their codes.
    borrowing func credits(of account: AccountID) throws -> [Money] {
        try rows(
            """
            SELECT milliunits, currency FROM credit_balance WHERE account_id = ?1
            ORDER BY currency
            """, [account]
        ).map { try $0.money("milliunits", "currency") }
    }

    /// The entry with a reference; nil before there is one.
    borrowing func ledgerEntry(_ reference: LedgerReference) throws -> StoredLedgerEntry? {
        let found = try row(
            """
            SELECT \(ledgerEntryColumns) FROM ledger_entry WHERE reference = ?1
            """, [reference.text])
        guard let found else { return nil }
        return try ledgerEntry(found)
    }

    /// From `ledgerEntryColumns`.
    borrowing func ledgerEntry(_ row: Row) throws -> StoredLedgerEntry {
        let number: LedgerEntryNumber = try row["number"]
        let entry = try LedgerEntry(
            try row["kind"], in: try row["environment"], at: try row["at_ms"],
            reference: LedgerReference(stored: try row["reference"]),
            transaction: try row["transaction_id"], note: try row["note"],
            postings: try postings(of: number))
        return StoredLedgerEntry(number: number, entry: entry)
    }

    private borrowing func postings(of number: LedgerEntryNumber) throws -> [LedgerPosting] {
        try rows(
            """
            SELECT account_kind, account_id, milliunits, currency FROM ledger_posting
            WHERE entry_number = ?1 ORDER BY account_kind, account_id
            """, [number]
        ).map { row in
            LedgerPosting(
                LedgerAccount(
                    try LedgerAccount.Kind(stored: row["account_kind"]), row: try row["account_id"]),
                try row.money("milliunits", "currency"))
        }
    }

    /// The amount that was refunded of a transaction and not taken again, in the currency of its
    /// charge.
    borrowing func refundedMilliunits(of transaction: TransactionID) throws -> Int64 {
        try value(
            """
            SELECT coalesce(sum(milliunits), 0) FROM ledger_entry
            JOIN ledger_posting ON entry_number = number
            WHERE transaction_id = ?1 AND reference <> ?2 AND account_kind = 'customer'
            """, [transaction, LedgerReference.charge(transaction).text]) ?? 0
    }

    /// The entries of an account before a number, newest first.
    borrowing func statement(
        of account: AccountID, before number: Int64, countMax: Int
    ) throws -> [StatementEntry] {
        let found = try rows(
            """
            \(statementEntries) WHERE account_kind = 'customer' AND account_id = ?1
                AND entry_number < ?2
            ORDER BY entry_number DESC LIMIT ?3
            """, [account, number, countMax])
        // The balance is summed up once for each currency and computed backwards from there.
        var balances: [Currency: Money] = [:]
        return try found.map { row in
            let amount = try row.money("milliunits", "currency")
            let after = try balances[amount.currency] ?? balance(after: row)
            balances[amount.currency] = after.subtracting(amount)
            return try StatementEntry(row, balance: after)
        }
    }

    /// One entry as its customer's statement shows it.
    borrowing func statementEntry(_ number: LedgerEntryNumber) throws -> StatementEntry? {
        try row(
            "\(statementEntries) WHERE account_kind = 'customer' AND entry_number = ?1", [number]
        ).map { try StatementEntry($0, balance: try balance(after: $0)) }
    }

    /// The customer's balance after an entry of `statementEntries`.
    private borrowing func balance(after row: Row) throws -> Money {
        let amount = try row.money("milliunits", "currency")
        let sum: Int64? = try value(
            """
            SELECT sum(milliunits) FROM ledger_posting
            WHERE account_kind = 'customer' AND account_id = ?1 AND currency = ?2
                AND entry_number <= ?3
            """, [try row["account_id"] as AccountID, amount.currency, try row["number"] as Int64])
        return Money(milliunits: sum ?? 0, currency: amount.currency)
    }

    /// The developer that an app belongs to.
    borrowing func developer(of app: AppID) throws -> DeveloperID {
        let found = try row(
            "SELECT developer_id FROM app WHERE id = ?1", [app])
        guard let found else {
            throw DatabaseError(code: .other, detail: "there is no app \(app)")
        }
        return try found["developer_id"]
    }
}

extension StatementEntry {
    /// From the columns of `statementEntries`.
    fileprivate init(_ row: Row, balance: Money) throws(DatabaseError) {
        self.init(
            number: try row["number"], kind: try row["kind"], at: try row["at_ms"],
            reference: try row["reference"], transaction: try row["transaction_id"],
            note: try row["note"],
            amount: try row.money("milliunits", "currency"), balance: balance)
    }
}
