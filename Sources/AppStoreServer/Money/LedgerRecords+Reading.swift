import StoreDatabase
import StoreModel
import StoreRules

/// An entry as the statement of its customer has it.
struct StatementEntry: Sendable {
    let number: LedgerEntryNumber
    let kind: LedgerEntryKind
    let at: Timestamp
    let reference: String
    let transaction: TransactionID?
    let note: String?
    /// What the customer got; below 0 for what they lost.
    let amount: Money
    /// What they had after it, in its currency.
    let balance: Money
}

private let statementEntries = """
    SELECT number, account_id, kind, at_ms, reference, transaction_id, note, milliunits, currency
    FROM ledger_posting JOIN ledger_entry ON number = entry_number
    """

extension ReadScope {
    /// What an account can spend in a currency.
    borrowing func credit(of account: AccountID, in currency: Currency) throws -> Money {
        let found = try row(
            "SELECT milliunits FROM credit_balance WHERE account_id = ?1 AND currency = ?2",
            [.integer(account.rawValue), .text(currency.code)])
        return Money(milliunits: found?.integer(0) ?? 0, currency: currency)
    }

    /// The same in every currency that it ever had, by their codes.
    borrowing func credits(of account: AccountID) throws -> [Money] {
        try rows(
            """
            SELECT milliunits, currency FROM credit_balance WHERE account_id = ?1
            ORDER BY currency
            """, [.integer(account.rawValue)]
        ).map { try Money(stored: $0, from: 0) }
    }

    /// The entry that came of something; nil before there is one.
    borrowing func ledgerEntry(_ reference: LedgerReference) throws -> StoredLedgerEntry? {
        let found = try row(
            """
            SELECT number, environment, kind, at_ms, transaction_id, note FROM ledger_entry
            WHERE reference = ?1
            """, [.text(reference.text)])
        guard let found else { return nil }
        let number = LedgerEntryNumber(found.integer(0))
        let entry = try LedgerEntry(
            try LedgerEntryKind(stored: found.text(2)),
            in: try StoreEnvironment(stored: found.text(1)),
            at: Timestamp(milliseconds: found.integer(3)), reference: reference,
            transaction: found.integerOrNil(4).map { TransactionID($0) },
            note: found.textOrNil(5), postings: try postings(of: number))
        return StoredLedgerEntry(number: number, entry: entry)
    }

    private borrowing func postings(of number: LedgerEntryNumber) throws -> [LedgerPosting] {
        try rows(
            """
            SELECT account_kind, account_id, milliunits, currency FROM ledger_posting
            WHERE entry_number = ?1 ORDER BY account_kind, account_id
            """, [.integer(number.rawValue)]
        ).map { row in
            LedgerPosting(
                LedgerAccount(
                    try LedgerAccount.Kind(stored: row.text(0)), row: row.integer(1)),
                try Money(stored: row, from: 2))
        }
    }

    /// What was given back of a transaction and not taken again, in the currency of its charge.
    borrowing func refundedMilliunits(of transaction: TransactionID) throws -> Int64 {
        try row(
            """
            SELECT coalesce(sum(milliunits), 0) FROM ledger_entry
            JOIN ledger_posting ON entry_number = number
            WHERE transaction_id = ?1 AND reference <> ?2 AND account_kind = 'customer'
            """,
            [
                .integer(transaction.rawValue),
                .text(LedgerReference.charge(transaction).text),
            ])?.integer(0) ?? 0
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
            """,
            [.integer(account.rawValue), .integer(number), .integer(Int64(countMax))])
        // What the account had is summed up once for each currency, and goes back from there.
        var balances: [Currency: Money] = [:]
        return try found.map { row in
            let amount = try Money(stored: row, from: 7)
            let after = try balances[amount.currency] ?? balance(after: row)
            balances[amount.currency] = after.subtracting(amount)
            return try StatementEntry(row, balance: after)
        }
    }

    /// One entry as the statement of its customer has it.
    borrowing func statementEntry(_ number: LedgerEntryNumber) throws -> StatementEntry? {
        try row(
            "\(statementEntries) WHERE account_kind = 'customer' AND entry_number = ?1",
            [.integer(number.rawValue)]
        ).map { try StatementEntry($0, balance: try balance(after: $0)) }
    }

    /// What the customer had after an entry of `statementEntries`.
    private borrowing func balance(after row: Row) throws -> Money {
        let amount = try Money(stored: row, from: 7)
        let sum = try self.row(
            """
            SELECT sum(milliunits) FROM ledger_posting
            WHERE account_kind = 'customer' AND account_id = ?1 AND currency = ?2
                AND entry_number <= ?3
            """,
            [
                .integer(row.integer(1)), .text(amount.currency.code), .integer(row.integer(0)),
            ])
        return Money(milliunits: sum?.integer(0) ?? 0, currency: amount.currency)
    }

    /// Whose app it is.
    borrowing func developer(of app: AppID) throws -> DeveloperID {
        let found = try row(
            "SELECT developer_id FROM app WHERE id = ?1", [.integer(app.rawValue)])
        guard let found else {
            throw DatabaseError(code: .other, detail: "there is no app \(app)")
        }
        return DeveloperID(found.integer(0))
    }
}

extension StatementEntry {
    /// From the columns of `statementEntries`.
    fileprivate init(_ row: Row, balance: Money) throws(DatabaseError) {
        self.init(
            number: LedgerEntryNumber(row.integer(0)),
            kind: try LedgerEntryKind(stored: row.text(2)),
            at: Timestamp(milliseconds: row.integer(3)), reference: row.text(4),
            transaction: row.integerOrNil(5).map { TransactionID($0) }, note: row.textOrNil(6),
            amount: try Money(stored: row, from: 7), balance: balance)
    }
}

extension Money {
    /// From two columns, an amount and its currency.
    init(stored row: Row, from first: Int) throws(DatabaseError) {
        guard let currency = Currency(code: row.text(first + 1)) else {
            throw DatabaseError(
                code: .notADatabase, detail: "\"\(row.text(first + 1))\" is no currency")
        }
        self.init(milliunits: row.integer(first), currency: currency)
    }
}
