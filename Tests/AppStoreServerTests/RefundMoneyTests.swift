import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import Testing

@testable import AppStoreServer

/// The ledger when what was charged goes back and out again.
struct RefundMoneyTests {
    private let fixture: LedgerFixture
    private let account: Account

    init() throws {
        fixture = try LedgerFixture()
        account = try fixture.account()
        try fixture.give(10_000, to: account)
        #expect(try fixture.charge(4_000, to: account, for: 7) == .charged(LedgerEntryNumber(2)))
    }

    /// Takes the transaction back with an event, as a refund does.
    private func take(_ milliunits: Int64?) throws {
        try fixture.database.write { scope in
            let sold = try #require(try scope.reading.transaction(TransactionID(7)))
            let event = try scope.record(
                .refunded(sold.kind, standsFor: nil, nil), of: sold, at: LedgerFixture.now)
            try scope.giveMoneyBack(
                milliunits.map { Money(milliunits: $0, currency: LedgerFixture.dollar) },
                of: sold.id, by: event, at: LedgerFixture.now, real: LedgerFixture.now)
        }
    }

    private func takeAgain() throws {
        try fixture.database.write { scope in
            let sold = try #require(try scope.reading.transaction(TransactionID(7)))
            try scope.takeMoneyAgain(of: sold, at: LedgerFixture.now)
        }
    }

    @Test func `a refund that is reversed takes the money again once, and can be refunded anew`()
        throws
    {
        try take(1_500)
        #expect(try fixture.credit(of: account) == 7_500)
        for _ in 0..<2 { try takeAgain() }
        #expect(try fixture.credit(of: account) == 6_000)
        #expect(try fixture.proceeds() == 4_000)
        try take(nil)
        #expect(try fixture.credit(of: account) == 10_000)
        try takeAgain()
        #expect(try fixture.credit(of: account) == 6_000)
        #expect(fixture.finding().state == .good, "\(fixture.finding())")
    }

    @Test func `a refund beyond the rest refunds the rest`() throws {
        _ = try fixture.refund(3_000, of: 7, "upgrade")
        try take(4_000)
        #expect(try fixture.credit(of: account) == 10_000)
        try takeAgain()
        #expect(try fixture.credit(of: account) == 9_000, "what the upgrade gave stays")
        #expect(fixture.finding().state == .good)
    }

    @Test func `reversing a refund already spent is refused and changes nothing`() throws {
        try take(nil)
        _ = try fixture.charge(9_000, to: account, for: 8)
        let entries = try fixture.entryCount()
        #expect(throws: Refusal.self) { try takeAgain() }
        #expect(try fixture.entryCount() == entries)
    }

    @Test func `refunding an uncharged purchase moves no money`() throws {
        try fixture.database.write { [account] scope in
            let sold = try LedgerFixture.sell(9, to: account, scope)
            let row = try #require(try scope.reading.transaction(sold))
            let event = try scope.record(
                .refunded(row.kind, standsFor: nil, nil), of: row, at: LedgerFixture.now)
            try scope.giveMoneyBack(
                nil, of: sold, by: event, at: LedgerFixture.now, real: LedgerFixture.now)
            try scope.takeMoneyAgain(of: row, at: LedgerFixture.now)
        }
        #expect(try fixture.entryCount() == 2)
    }

    @Test func `the doctor reports a refund that was reversed twice`() throws {
        try take(1_500)
        try takeAgain()
        try fixture.execute(
            "INSERT INTO ledger_entry (number, environment, kind, at_ms, reference, transaction_id) "
                + "VALUES (99, 'production', 'charge', 1, 'reversal/none', 7)")
        try fixture.execute(
            """
            INSERT INTO ledger_posting (entry_number, account_kind, account_id, milliunits, currency)
            VALUES (99, 'customer', 1, -5, 'USD'), (99, 'developer', 1, 5, 'USD')
            """)
        #expect(fixture.finding().finding.contains("reversal of a refund that was not given"))
    }
}
