import Foundation
import Testing

@testable import AppStoreServer

/// The auditor of subscriptions finds nothing in a world that is sound, and each kind of damage
/// done to a copy of it.
struct SubscriptionAuditorTests {
    /// Made once: years of a few buyers in whose lives everything happened that is damaged below.
    private static let sound = Task { () async throws -> TemporaryFolder in
        let shop = try await SimulatedShop(accounts: 30)
        var world = try SimulatedWorld(0, in: shop)
        try await world.run()
        return world.folder
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        let statement: String

        init(_ code: String, _ statement: String) {
            self.code = code
            self.statement = statement
        }

        var testDescription: String { "\(code): \(statement)" }
    }

    /// Changes a database as any other program would; refuses to change nothing.
    private static let damage = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.executescript(sys.argv[2])
        database.commit()
        sys.exit(0 if database.total_changes else 1)
        """

    /// What the auditor says after a statement, done to a copy.
    private func findings(after statement: String? = nil) async throws -> [String] {
        let sound = try await Self.sound.value
        let copy = NSTemporaryDirectory() + "bodega-audit-copy-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: sound.path, toPath: copy)
        if let statement {
            let process = try Process.run(
                URL(fileURLWithPath: "/usr/bin/python3"),
                arguments: ["-c", Self.damage, copy + "/default.sqlite", statement])
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "nothing was damaged")
        }
        return try SubscriptionAuditor.findings(in: [copy])
    }

    @Test func `a sound world has no findings`() async throws {
        #expect(try await findings() == [])
    }

    /// A renewal that begins where the one before ended and is not the newest.
    private static let renewal = """
        (SELECT max(id) FROM store_transaction WHERE is_renewal = 1
            AND id NOT IN (SELECT newest_id FROM subscription))
        """
    private static let upgraded = "(SELECT max(id) FROM store_transaction WHERE upgraded_ms > 0)"

    /// Lets the ledger be changed, which the database refuses otherwise.
    private static let open = """
        DROP TRIGGER ledger_entry_stays; DROP TRIGGER ledger_posting_stays;
        DROP TRIGGER ledger_entry_is_kept; DROP TRIGGER ledger_posting_is_kept;
        """

    /// A charge of something that was not given back.
    private static let charge = """
        (SELECT max(number) FROM ledger_entry WHERE kind = 'charge' AND transaction_id NOT IN
            (SELECT transaction_id FROM ledger_entry WHERE kind = 'refund'))
        """

    private static let bought = "(SELECT max(id) FROM store_transaction WHERE is_renewal = 0)"

    /// The newest period of some subscription once more, under the next number.
    private static func copied(later milliseconds: Int) -> String {
        """
        CREATE TABLE copied AS SELECT * FROM store_transaction WHERE id = \(renewal);
        UPDATE copied SET attempt_id = 'renewal/copied', purchased_ms = purchased_ms +
            \(milliseconds) * (expires_ms - purchased_ms),
            id = (SELECT max(id) + 1 FROM store_transaction);
        INSERT INTO store_transaction SELECT * FROM copied; DROP TABLE copied
        """
    }

    @Test(arguments: [
        Row(
            "overlap",
            "UPDATE store_transaction SET purchased_ms = purchased_ms - 1 WHERE id = \(renewal)"
        ),
        Row(
            "gap",
            "UPDATE store_transaction SET purchased_ms = purchased_ms + 1 WHERE id = \(renewal)"),
        Row(
            "length",
            "UPDATE store_transaction SET expires_ms = expires_ms + 86400000 WHERE id = \(renewal)"),
        Row("money", "UPDATE store_transaction SET charged_milliunits = 1 WHERE id = \(renewal)"),
        Row(
            "money",
            "UPDATE store_transaction SET charged_milliunits = 10 WHERE offer_mode = 'freeTrial'"),
        Row(
            "offer-twice",
            """
            UPDATE store_transaction SET offer_kind = 'introductory', offer_mode = 'freeTrial'
            WHERE id = (SELECT max(a.id) FROM store_transaction a JOIN store_transaction b
                ON a.original_id = b.original_id WHERE a.product_id LIKE '%silver'
                AND b.offer_kind IS NOT NULL AND b.id < a.id AND a.restore_id IS NULL)
            """),
        Row("refund-wrong", "UPDATE refund SET milliunits = milliunits + 2"),
        Row("refund-wrong", "DELETE FROM refund"),
        Row("refund-wrong", "UPDATE refund SET transaction_id = \(renewal) WHERE number = 1"),
        Row(
            "upgrade-wrong",
            "UPDATE store_transaction SET upgraded_ms = expires_ms WHERE id = \(renewal)"),
        Row("overlap", "UPDATE store_transaction SET upgraded_ms = NULL WHERE id = \(upgraded)"),
        Row(
            "original-wrong",
            "UPDATE store_transaction SET original_id = id WHERE id = \(renewal)"),
        Row(
            "original-wrong",
            "UPDATE store_transaction SET originally_purchased_ms = 1 WHERE id = \(renewal)"),
        Row(
            "event-lost", "DELETE FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)"
        ),
        Row(
            "event-gap", "DELETE FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)"),
        Row(
            "event-twice",
            """
            INSERT INTO event SELECT 1 + (SELECT max(number) FROM event), environment, app_id,
                account_id, kind, transaction_id, subject, (SELECT max(at_ms) FROM event)
            FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)
            """),
        Row("event-back", "UPDATE event SET at_ms = 1 WHERE number = 7"),
        Row("failed-wrong", "UPDATE event SET at_ms = at_ms + 1 WHERE kind = 'renewalFailed'"),
        Row("renewed-late", "DELETE FROM event WHERE kind = 'renewalFailed'"),
        Row(
            "ended-wrong", "UPDATE event SET subject = '4' WHERE kind = 'expired' AND subject = '2'"
        ),
        Row(
            "ended-wrong", "UPDATE event SET subject = '2' WHERE kind = 'expired' AND subject = '1'"
        ),
        Row(
            "renewed-ended",
            "UPDATE event SET kind = 'expired', subject = '1' WHERE kind = 'renewalFailed'"),
        Row("row-wrong", "UPDATE subscription SET price_milliunits = price_milliunits + 1"),
        Row("row-wrong", "UPDATE subscription SET renewal_count = renewal_count + 1"),
        Row("row-wrong", "UPDATE subscription SET is_auto_renewing = 1 - is_auto_renewing"),
        Row("row-wrong", "UPDATE subscription SET newest_id = original_id"),
        Row("due-wrong", "UPDATE subscription SET due_ms = due_ms + 1 WHERE due_ms > 0"),
        Row("overdue", "UPDATE clock SET held_ms = held_ms + 400 * 86400000"),
        Row(
            "subscription-lost",
            "DELETE FROM subscription WHERE original_id = (SELECT max(original_id) FROM subscription)"
        ),
        Row("sale-twice", "UPDATE attempt SET transaction_id = \(upgraded) WHERE state = 'done'"),
        Row("sale-without-attempt", "DELETE FROM attempt"),
        Row("period-lost", "DELETE FROM store_transaction WHERE id = \(renewal)"),
        Row("event-lost", copied(later: 0)), Row("overlap", copied(later: 0)),
        Row("event-lost", copied(later: 1)),
        Row("receipt-differs", copied(later: 1)),
        Row(
            "receipt-differs",
            "INSERT INTO revocation (transaction_id, reason, at_ms) VALUES (\(renewal), 'issue', 1)"
        ),
        Row(
            "receipt-differs",
            "UPDATE store_transaction SET upgraded_ms = upgraded_ms + 1000 WHERE upgraded_ms > 0"),
        Row("told-lost", "DELETE FROM store_transaction WHERE id = \(bought)"),
        Row(
            "row-wrong",
            "UPDATE subscription SET next_product_id = 'none' WHERE phase = 'active'"),
        Row(
            "entry-unbalanced",
            "\(open) UPDATE ledger_posting SET milliunits = milliunits + 1 "
                + "WHERE account_kind = 'developer'"),
        Row("balance-wrong", "UPDATE credit_balance SET milliunits = milliunits + 1"),
        Row(
            "entry-lost",
            "\(open) DELETE FROM ledger_posting WHERE entry_number = 1; "
                + "DELETE FROM ledger_entry WHERE number = 1"),
        Row(
            "charge-lost",
            "\(open) UPDATE ledger_entry SET transaction_id = \(bought) WHERE number = \(charge)"),
        Row(
            "charge-unsold",
            "\(open) UPDATE ledger_entry SET transaction_id = 7 WHERE number = \(charge)"),
        Row(
            "charged-twice",
            "\(open) UPDATE ledger_entry SET transaction_id = (SELECT transaction_id FROM "
                + "ledger_entry WHERE number = \(charge)) WHERE kind = 'charge'"),
        Row(
            "charge-wrong",
            "UPDATE store_transaction SET charged_milliunits = charged_milliunits + 10 WHERE id = "
                + "(SELECT transaction_id FROM ledger_entry WHERE number = \(charge))"),
        Row(
            "overdrawn",
            "\(open) UPDATE ledger_posting SET milliunits = 1000 * milliunits "
                + "WHERE entry_number = \(charge)"),
        Row(
            "entry-wrong",
            "\(open) UPDATE ledger_posting SET account_id = 1 WHERE account_kind = 'customer'"),
        Row(
            "refund-wrong",
            "\(open) UPDATE ledger_entry SET kind = 'correction', transaction_id = NULL "
                + "WHERE kind = 'refund'"),
        Row(
            "refund-wrong",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT transaction_id, 'issue', 1 FROM ledger_entry "
                + "WHERE number = \(charge)"),
        Row(
            "topped-up-wrong",
            "\(open) UPDATE ledger_entry SET kind = 'correction' WHERE kind = 'topUp'"),
    ])
    func `damage is found`(row: Row) async throws {
        let found = try await findings(after: row.statement)
        #expect(found.contains { $0.hasPrefix(row.code + ":") }, "\(found.prefix(9))")
    }
}
