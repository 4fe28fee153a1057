import StoreModel
import Testing

@testable import AppStoreServer

/// The doctor finds every kind of damage to a ledger.
struct LedgerExaminationTests {
    private let books: LedgerFixture

    init() throws {
        books = try LedgerFixture()
        let buyer = try books.account()
        _ = try books.account("tester", in: .sandbox)
        try books.give(1_000, to: buyer)
        _ = try books.charge(990, to: buyer, for: 7)
        _ = try books.refund(90, of: 7, "R")
        try books.database.write { scope in
            let number = try scope.addGiftCode(
                digest: [1], worth: Money(milliunits: 25, currency: LedgerFixture.dollar),
                in: .production, expiresAt: nil, now: LedgerFixture.now)
            let code = try #require(try scope.reading.giftCode(number))
            _ = try scope.redeem(code, for: buyer, at: LedgerFixture.now)
        }
    }

    @Test func `a sound ledger has no findings`() {
        #expect(books.finding().state == .good)
        #expect(books.finding().finding == "4 entries, all balanced")
    }

    private static func posting(_ entry: Int64, _ kind: String, _ milliunits: Int64) -> String {
        """
        INSERT INTO ledger_posting (entry_number, account_kind, account_id, milliunits, currency)
        VALUES (\(entry), '\(kind)', 0, \(milliunits), 'USD')
        """
    }

    /// A refund of 901 after one of 90, as nothing of ours would enter it.
    private static let secondRefund = [
        """
        INSERT INTO ledger_entry (number, environment, kind, at_ms, reference, transaction_id)
        VALUES (9, 'production', 'refund', 1, 'refund/S', 7)
        """,
        """
        INSERT INTO ledger_posting (entry_number, account_kind, account_id, milliunits, currency)
        VALUES (9, 'customer', 1, 901, 'USD'), (9, 'developer', 1, -901, 'USD')
        """,
        "UPDATE credit_balance SET milliunits = milliunits + 901",
    ]

    struct Damage: CustomTestStringConvertible {
        let statements: [String]
        let said: String
        var testDescription: String { said }

        init(_ said: String, _ statements: String...) {
            self.init(said, statements)
        }

        init(_ said: String, _ statements: [String]) {
            (self.said, self.statements) = (said, statements)
        }
    }

    private static let opened = "INSERT INTO history_reset (id) VALUES (1)"

    @Test(arguments: [
        Damage("entry does not balance to zero in one currency: 2", posting(2, "funding", 1)),
        Damage(
            "entry does not balance to zero in one currency: 2", opened,
            "DELETE FROM ledger_posting WHERE entry_number = 2 AND account_kind = 'developer'"),
        Damage(
            "entry does not balance to zero in one currency: 4", opened,
            "DELETE FROM ledger_posting WHERE entry_number = 4"),
        Damage(
            "entry does not belong to exactly one customer of its environment: 1",
            "UPDATE account SET environment = 'sandbox', name = 'moved' WHERE id = 1"),
        Damage(
            "charge or refund of a transaction that does not exist: 2",
            "DELETE FROM store_transaction"),
        Damage("transaction was refunded more than it was charged: 7", secondRefund),
        Damage(
            "account's balance is not the sum of its entries: 1",
            "UPDATE credit_balance SET milliunits = milliunits + 1"),
        Damage(
            "account's balance is not the sum of its entries: 1",
            "DELETE FROM credit_balance"),
        Damage(
            "account's balance is not the sum of its entries: 2",
            "INSERT INTO credit_balance (account_id, currency, milliunits) VALUES (2, 'EUR', 1)"),
        Damage(
            "gift code's redemption does not match its entry: 1",
            "UPDATE gift_code SET redeemed_account_id = NULL, redeemed_ms = NULL"),
        Damage(
            "gift code's redemption does not match its entry: 1",
            "UPDATE gift_code SET milliunits = 26"),
        Damage(
            "gift code's redemption does not match its entry: 1",
            "UPDATE gift_code SET redeemed_account_id = 2"),
    ])
    func `damage to the ledger is found and described`(damage: Damage) throws {
        for statement in damage.statements { try books.execute(statement) }
        let found = books.finding()
        #expect(found.state == .bad)
        #expect(found.finding.contains("default: \(damage.said)"), "\(found.finding)")
        #expect(found.advice != nil)
    }
}
