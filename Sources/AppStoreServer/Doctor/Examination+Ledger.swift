import Foundation
import StoreDatabase
import StoreModel

// The ledgers of the worlds: whether every entry balances, and every account's balance is the sum
// of its entries. The checks are in SQL, so that the code that keeps the books does not judge
// itself.
extension Examination {
    func ledgers() -> Finding {
        let check = "ledgers"
        let worlds = [.default] + ((try? files.sessionNames()) ?? []).prefix(Self.sessionsReadMax)
        var entryCount: Int64 = 0
        var problems: [String] = []
        for world in worlds {
            do {
                let found = try ledger(of: world)
                entryCount += found.entryCount
                problems += found.problems.map { "\(world): \($0)" }
            } catch {
                return .bad(
                    check, "cannot read the ledger of \(world): \(error)",
                    "follow the advice of the findings above")
            }
        }
        guard problems.isEmpty else {
            return .bad(
                check,
                problems.prefix(3).joined(separator: "; ")
                    + (problems.count > 3 ? "; and \(problems.count - 3) more" : ""),
                "stop the store, keep the file, and restore a snapshot or a backup; the store "
                    + "itself never causes this")
        }
        return .good(check, "\(entryCount) entries, all balanced" + unexamined())
    }

    /// Each question finds a fault and returns one column, its place.
    static let questions: [(fault: String, sql: String)] = [
        (
            "entry does not balance to zero in one currency",
            """
            SELECT number FROM ledger_entry LEFT JOIN ledger_posting ON entry_number = number
            GROUP BY number
            HAVING count(entry_number) < 2 OR count(DISTINCT currency) <> 1
                OR sum(milliunits) <> 0
            """
        ),
        (
            "entry does not belong to exactly one customer of its environment",
            """
            SELECT number FROM ledger_entry
            WHERE 1 <> (
                SELECT count(*) FROM ledger_posting
                JOIN account ON account.id = ledger_posting.account_id
                WHERE entry_number = number AND account_kind = 'customer'
                    AND account.environment = ledger_entry.environment)
            """
        ),
        (
            "charge or refund of a transaction that does not exist",
            """
            SELECT number FROM ledger_entry WHERE transaction_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM store_transaction WHERE store_transaction.id = transaction_id)
            """
        ),
        (
            "transaction was refunded more than it was charged",
            """
            SELECT transaction_id FROM ledger_entry JOIN ledger_posting ON entry_number = number
            WHERE transaction_id IS NOT NULL AND account_kind = 'customer'
            GROUP BY transaction_id HAVING sum(milliunits) > 0 OR count(DISTINCT currency) > 1
                OR count(*) FILTER (WHERE reference = 'charge/' || transaction_id) <> 1
            """
        ),
        (
            "reversal of a refund that was not given, or of another amount",
            """
            SELECT taken.number FROM ledger_entry taken
            JOIN ledger_posting AS lost
                ON lost.entry_number = taken.number AND lost.account_kind = 'customer'
            LEFT JOIN ledger_entry given
                ON given.reference = 'refund/' || substr(taken.reference, 10)
                AND given.transaction_id = taken.transaction_id
            LEFT JOIN ledger_posting AS got
                ON got.entry_number = given.number AND got.account_kind = 'customer'
            WHERE taken.reference LIKE 'reversal/%'
                AND (got.milliunits IS NULL OR got.milliunits + lost.milliunits <> 0
                    OR got.account_id <> lost.account_id OR got.currency <> lost.currency)
            """
        ),
        (
            "transaction was paid for, but its charge is missing from the ledger or differs",
            """
            SELECT id FROM store_transaction
            WHERE environment = 'production' AND charged_milliunits > 0 AND NOT EXISTS (
                SELECT 1 FROM ledger_entry JOIN ledger_posting ON entry_number = number
                WHERE reference = 'charge/' || store_transaction.id AND account_kind = 'customer'
                    AND ledger_posting.account_id = store_transaction.account_id
                    AND milliunits = -charged_milliunits
                    AND ledger_posting.currency = store_transaction.currency)
            """
        ),
        (
            "account's balance is not the sum of its entries",
            """
            SELECT account_id FROM (
                SELECT account_id, currency, milliunits FROM credit_balance
                UNION ALL
                SELECT account_id, currency, -milliunits FROM ledger_posting
                WHERE account_kind = 'customer') AS sums
            GROUP BY account_id, currency HAVING sum(milliunits) <> 0
            """
        ),
        (
            "gift code's redemption does not match its entry",
            """
            SELECT gift_code.number FROM gift_code
            LEFT JOIN ledger_entry ON reference = 'giftCode/' || gift_code.number
            LEFT JOIN ledger_posting
                ON entry_number = ledger_entry.number AND account_kind = 'customer'
            WHERE (redeemed_account_id IS NULL) <> (ledger_entry.number IS NULL)
                OR redeemed_account_id <> account_id
                OR gift_code.milliunits <> ledger_posting.milliunits
                OR gift_code.currency <> ledger_posting.currency
            """
        ),
    ]

    private func ledger(of world: WorldName) throws -> (entryCount: Int64, problems: [String]) {
        let path = files.path(world)
        let reader = try self.reader(path)
        var problems: [String] = []
        for question in Self.questions + Self.paymentQuestions {
            let found = """
                WITH found (place) AS (\(question.sql)) SELECT CAST(place AS TEXT) FROM found
                LIMIT \(DatabaseReader.problemsMax)
                """
            problems += try reader.rows(found)
                .map { "\(question.fault): \($0.text(0))" }
        }
        let count = try reader.rows("SELECT count(*) FROM ledger_entry").first?.integer(0) ?? 0
        return (count, problems)
    }
}
