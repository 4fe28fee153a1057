import Dispatch
import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import Synchronization
import Testing

@testable import AppStoreServer

/// Charges, refunds and what protects the ledger, on a real file.
struct LedgerRecordsTests {
    private let books: LedgerFixture
    private let buyer: Account

    init() throws {
        books = try LedgerFixture()
        buyer = try books.account()
    }

    private static func dollars(_ milliunits: Int64) -> Money {
        Money(milliunits: milliunits, currency: LedgerFixture.dollar)
    }

    @Test func `a charge moves money from the buyer to the app's developer once`() throws {
        try books.give(1_000, to: buyer)
        let first = try books.charge(990, to: buyer, for: 7)
        #expect(first == .charged(LedgerEntryNumber(2)))
        #expect(try books.charge(990, to: buyer, for: 7) == first)
        #expect(try books.credit(of: buyer) == 10)
        #expect(try books.proceeds() == 990)
        #expect(try books.entryCount() == 2)
        #expect(
            try books.charge(11, to: buyer, for: 8) == .insufficientCredit(missing: Self.dollars(1))
        )
        #expect(try books.charge(10, to: buyer, for: 8) == .charged(LedgerEntryNumber(3)))
        #expect(try books.credit(of: buyer) == 0)
        #expect(books.finding().state == .good)
    }

    @Test func `a free purchase makes no ledger entry`() throws {
        #expect(try books.charge(0, to: buyer, for: 7) == .charged(nil))
        #expect(try books.refund(nil, of: 7, "R") == .refused(.nothingCharged))
        try books.give(5, to: buyer)
        _ = try books.charge(5, to: buyer, for: 8)
        #expect(try books.refund(0, of: 8, "R") == .refunded(Self.dollars(0), nil))
        #expect(try books.entryCount() == 2)
    }

    @Test func `a changed or negative charge for a transaction is a fault`() throws {
        let other = try books.account("other")
        try books.give(100, to: buyer)
        try books.give(100, to: other)
        _ = try books.charge(10, to: buyer, for: 7)
        #expect(throws: LedgerFault.enteredOtherwise) { try books.charge(11, to: buyer, for: 7) }
        #expect(throws: LedgerFault.enteredOtherwise) { try books.charge(10, to: other, for: 7) }
        #expect(throws: LedgerFault.wrongDirection) { try books.charge(-1, to: buyer, for: 8) }
        #expect(try books.entryCount() == 3)
        #expect(try books.credit(of: other) == 100)
    }

    @Test func `credit in another currency pays nothing`() throws {
        try books.give(100, to: buyer)
        let germany = try #require(Storefront(countryCode: "DEU"))
        let moved = Account(
            id: buyer.id, environment: buyer.environment, name: buyer.name, storefront: germany)
        let missing = Money(milliunits: 5, currency: germany.currency)
        #expect(
            try books.charge(5, to: moved, for: 7) == .insufficientCredit(missing: missing))
        try books.give(5, to: moved)
        #expect(try books.charge(5, to: moved, for: 7) == .charged(LedgerEntryNumber(3)))
        let left = try books.database.read { try $0.credits(of: buyer.id) }
        #expect(left == [Money(milliunits: 0, currency: germany.currency), Self.dollars(100)])
    }

    @Test func `of concurrent charges, only as many are paid as the credit covers`() throws {
        let count = 64
        try books.give(1_000, to: buyer)
        let outcomes = Mutex<[Int64: Set<ChargeOutcome>]>([:])
        // Each transaction is charged twice at once, and there is credit for a third of them.
        DispatchQueue.concurrentPerform(iterations: 2 * count) { index in
            let number = Int64(index % count) + 1
            let outcome = Result { try books.charge(47, to: buyer, for: number) }
            switch outcome {
            case .success(let found):
                outcomes.withLock { _ = $0[number, default: []].insert(found) }
            case .failure(let error): Issue.record(error)
            }
        }
        let all = outcomes.withLock { $0 }
        let paid = all.filter { outcome in
            outcome.value.contains { if case .charged = $0 { true } else { false } }
        }
        #expect(all.count == count)
        #expect(paid.count == 1_000 / 47)
        #expect(paid.values.allSatisfy { $0.count == 1 }, "an entry for each, asked twice or not")
        #expect(try books.credit(of: buyer) == Int64(1_000 - 47 * paid.count))
        #expect(try books.proceeds() == Int64(47 * paid.count))
        #expect(try books.entryCount() == Int64(paid.count + 1))
        #expect(books.finding().state == .good)
    }

    @Test func `a failing command undoes its own charge and nobody else's`()
        throws
    {
        struct Stopped: Error {}
        let other = try books.account("other")
        try books.give(100, to: buyer)
        try books.give(100, to: other)
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            let number = Int64(index) + 1
            if index.isMultiple(of: 2) {
                #expect(throws: Stopped.self) {
                    try books.database.write { [buyer] scope in
                        _ = try LedgerFixture.charge(5, to: buyer, for: number, scope)
                        throw Stopped()
                    }
                }
            } else {
                _ = try? books.charge(5, to: other, for: number)
            }
        }
        #expect(try books.credit(of: buyer) == 100)
        #expect(try books.credit(of: other) == 0)
        #expect(try books.proceeds() == 100)
        #expect(books.finding().state == .good)
    }

    @Test func `a refund never exceeds what is left and is made once per reference`() throws {
        try books.give(1_000, to: buyer)
        _ = try books.charge(1_000, to: buyer, for: 7)
        let first = try books.refund(300, of: 7, "first")
        #expect(first == .refunded(Self.dollars(300), LedgerEntryNumber(3)))
        #expect(try books.refund(300, of: 7, "first") == first)
        #expect(try books.refund(nil, of: 7, "first") == first)
        #expect(try books.refund(301, of: 7, "first") == .refused(.referenceReused))
        #expect(
            try books.refund(701, of: 7, "second") == .refused(.exceeds(left: Self.dollars(700))))
        #expect(try books.refund(-1, of: 7, "second") == .refused(.amountNotAllowed))
        let euro = try #require(Currency(code: "EUR"))
        #expect(
            try books.refund(1, of: 7, "second", currency: euro) == .refused(.otherCurrency))
        #expect(try books.refund(1, of: 8, "second") == .refused(.nothingCharged))
        #expect(
            try books.refund(nil, of: 7, "second")
                == .refunded(Self.dollars(700), LedgerEntryNumber(4)))
        #expect(try books.refund(nil, of: 7, "third") == .refunded(Self.dollars(0), nil))
        #expect(
            try books.refund(1, of: 7, "third") == .refused(.exceeds(left: Self.dollars(0))))
        #expect(try books.credit(of: buyer) == 1_000)
        #expect(try books.proceeds() == 0)
        #expect(books.finding().state == .good)
    }

    @Test func `concurrent refunds pay back once`() throws {
        try books.give(100, to: buyer)
        _ = try books.charge(100, to: buyer, for: 7)
        DispatchQueue.concurrentPerform(iterations: 50) { index in
            _ = try? books.refund(30, of: 7, "R\(index % 10)")
        }
        #expect(try books.credit(of: buyer) == 90)
        #expect(try books.entryCount() == 5)
        #expect(books.finding().state == .good)
    }

    @Test
    func `a refund debits the developer who earned the money and may exceed the credit limit`()
        throws
    {
        try books.give(1_000, to: buyer)
        _ = try books.charge(1_000, to: buyer, for: 7)
        try books.execute("INSERT INTO developer (id, name) VALUES (2, 'later')")
        try books.execute("UPDATE app SET developer_id = 2")
        try books.execute(
            "UPDATE credit_balance SET milliunits = \(CreditRules.creditMilliunitsMax)")
        _ = try books.refund(nil, of: 7, "R")
        #expect(try books.proceeds(of: 1) == 0)
        #expect(try books.proceeds(of: 2) == 0)
        #expect(try books.credit(of: buyer) == CreditRules.creditMilliunitsMax + 1_000)
    }

    @Test(arguments: [
        "UPDATE ledger_entry SET note = 'x'", "UPDATE ledger_posting SET milliunits = 1",
        "DELETE FROM ledger_posting", "DELETE FROM ledger_entry WHERE number = 1",
        "UPDATE credit_balance SET milliunits = -1",
        """
        INSERT INTO ledger_entry (number, environment, kind, at_ms, reference)
        SELECT 99, environment, kind, at_ms, reference FROM ledger_entry
        """,
        """
        INSERT INTO ledger_posting (entry_number, account_kind, account_id, milliunits, currency)
        VALUES (99, 'funding', 0, 1, 'USD')
        """,
    ])
    func `the database file refuses every change to the ledger but a new entry`(sql: String) throws
    {
        try books.give(5, to: buyer)
        #expect(throws: DatabaseError.self) { try books.execute(sql) }
        #expect(try books.credit(of: buyer) == 5)
        #expect(books.finding().finding.hasPrefix("1 entries"))
    }

    @Test func `only a reset empties the ledger, which is guarded again afterwards`() throws {
        try books.give(5, to: buyer)
        try books.database.write { try $0.deleteHistory(now: LedgerFixture.now) }
        #expect(try books.entryCount() == 0)
        #expect(try books.number("SELECT count(*) FROM credit_balance") == 0)
        #expect(try books.number("SELECT count(*) FROM history_reset") == 0)
        let next = try books.account("next")
        try books.give(7, to: next)
        #expect(throws: DatabaseError.self) { try books.execute("DELETE FROM ledger_entry") }
        #expect(books.finding().state == .good)
    }

    @Test func `a failed reset leaves the ledger as it was`() throws {
        struct Stopped: Error {}
        try books.give(5, to: buyer)
        #expect(throws: Stopped.self) {
            try books.database.write { scope in
                try scope.deleteHistory(now: LedgerFixture.now)
                throw Stopped()
            }
        }
        #expect(try books.credit(of: buyer) == 5)
        #expect(throws: DatabaseError.self) { try books.execute("DELETE FROM ledger_posting") }
    }

    @Test func `the world's clock does not go back behind a ledger entry`() throws {
        try books.give(5, to: buyer)
        #expect(try books.database.read { try $0.lastRecorded() } == LedgerFixture.now)
    }
}
