import Testing

@testable import AppStoreServer

/// The auditor of subscriptions finds nothing in a world that is sound, and each kind of damage
/// done to a copy of it.
struct SubscriptionAuditorTests {
    @Test func `a sound world gives the subscription auditor no findings`() async throws {
        #expect(try await DamagedWorld.findings() == [])
    }

    /// A renewal that begins where the one before ended and is not the newest.
    private static let renewal = """
        (SELECT max(id) FROM store_transaction WHERE is_renewal = 1 AND \(isBought)
            AND id NOT IN (SELECT newest_id FROM subscription))
        """
    private static let upgraded =
        "(SELECT max(id) FROM store_transaction WHERE upgraded_ms > 0 AND \(isBought))"

    /// A charge of something that was not given back.
    private static let charge = """
        (SELECT max(number) FROM ledger_entry WHERE kind = 'charge' AND transaction_id NOT IN
            (SELECT transaction_id FROM ledger_entry WHERE kind = 'refund'))
        """

    private static let bought =
        "(SELECT max(id) FROM store_transaction WHERE is_renewal = 0 AND \(isBought))"
    private static let isBought =
        "kind = 'autoRenewable' AND shared_id IS NULL AND restore_id IS NULL"

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
        Damage(
            "overlap",
            "UPDATE store_transaction SET purchased_ms = purchased_ms - 1 WHERE id = \(renewal)"
        ),
        Damage(
            "gap",
            "UPDATE store_transaction SET purchased_ms = purchased_ms + 1 WHERE id = \(renewal)"),
        Damage(
            "length",
            "UPDATE store_transaction SET expires_ms = expires_ms + 86400000 WHERE id = \(renewal)"),
        Damage(
            "money", "UPDATE store_transaction SET charged_milliunits = 1 WHERE id = \(renewal)"),
        Damage(
            "money",
            "UPDATE store_transaction SET charged_milliunits = 10 WHERE offer_mode = 'freeTrial'"),
        Damage(
            "offer-twice",
            """
            UPDATE store_transaction SET offer_kind = 'introductory', offer_mode = 'freeTrial'
            WHERE id = (SELECT max(a.id) FROM store_transaction a JOIN store_transaction b
                ON a.original_id = b.original_id WHERE a.product_id LIKE '%silver'
                AND b.offer_kind IS NOT NULL AND b.id < a.id AND a.restore_id IS NULL)
            """),
        Damage("refund-wrong", "UPDATE refund SET milliunits = milliunits + 2"),
        Damage("refund-wrong", "DELETE FROM refund"),
        Damage("refund-wrong", "UPDATE refund SET transaction_id = \(renewal) WHERE number = 1"),
        Damage(
            "upgrade-wrong",
            "UPDATE store_transaction SET upgraded_ms = expires_ms WHERE id = \(renewal)"),
        Damage("overlap", "UPDATE store_transaction SET upgraded_ms = NULL WHERE id = \(upgraded)"),
        Damage(
            "original-wrong",
            "UPDATE store_transaction SET original_id = id WHERE id = \(renewal)"),
        Damage(
            "original-wrong",
            "UPDATE store_transaction SET originally_purchased_ms = 1 WHERE id = \(renewal)"),
        Damage(
            "event-lost", "DELETE FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)"
        ),
        Damage(
            "event-gap", "DELETE FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)"),
        Damage(
            "event-twice",
            """
            INSERT INTO event SELECT 1 + (SELECT max(number) FROM event), environment, app_id,
                account_id, kind, transaction_id, subject, (SELECT max(at_ms) FROM event)
            FROM event WHERE kind = 'renewed' AND transaction_id = \(renewal)
            """),
        Damage("event-lost", "DELETE FROM event WHERE kind = 'replaced'"),
        Damage("event-wrong", "UPDATE event SET kind = 'replaced' WHERE kind = 'renewalFailed'"),
        Damage("event-back", "UPDATE event SET at_ms = 1 WHERE number = 7"),
        Damage("failed-wrong", "UPDATE event SET at_ms = at_ms + 1 WHERE kind = 'renewalFailed'"),
        Damage("renewed-late", "DELETE FROM event WHERE kind = 'renewalFailed'"),
        Damage(
            "ended-wrong", "UPDATE event SET subject = '4' WHERE kind = 'expired' AND subject = '2'"
        ),
        Damage(
            "ended-wrong", "UPDATE event SET subject = '2' WHERE kind = 'expired' AND subject = '1'"
        ),
        Damage(
            "renewed-ended",
            "UPDATE event SET kind = 'expired', subject = '1' WHERE kind = 'renewalFailed'"),
        Damage("row-wrong", "UPDATE subscription SET price_milliunits = price_milliunits + 1"),
        Damage("row-wrong", "UPDATE subscription SET renewal_count = renewal_count + 1"),
        Damage("row-wrong", "UPDATE subscription SET is_auto_renewing = 1 - is_auto_renewing"),
        Damage("row-wrong", "UPDATE subscription SET newest_id = original_id"),
        Damage("question-wrong", "UPDATE subscription SET increase_question = 1"),
        Damage(
            "question-wrong",
            "UPDATE subscription SET increase_consent = 'agreed', increase_milliunits = 1"),
        Damage("due-wrong", "UPDATE subscription SET due_ms = due_ms + 1 WHERE due_ms > 0"),
        Damage("overdue", "UPDATE clock SET held_ms = held_ms + 400 * 86400000"),
        Damage(
            "subscription-lost",
            "DELETE FROM subscription WHERE original_id = (SELECT max(original_id) FROM subscription)"
        ),
        Damage(
            "sale-twice", "UPDATE attempt SET transaction_id = \(upgraded) WHERE state = 'done'"),
        Damage("sale-without-attempt", "DELETE FROM attempt"),
        Damage("period-lost", "DELETE FROM store_transaction WHERE id = \(renewal)"),
        Damage("event-lost", copied(later: 0)), Damage("overlap", copied(later: 0)),
        Damage("event-lost", copied(later: 1)),
        Damage("receipt-differs", copied(later: 1)),
        Damage(
            "receipt-differs",
            "INSERT INTO revocation (transaction_id, reason, at_ms) VALUES (\(renewal), 'issue', 1)"
        ),
        Damage(
            "receipt-differs",
            "UPDATE store_transaction SET upgraded_ms = upgraded_ms + 1000 WHERE upgraded_ms > 0"),
        Damage("told-lost", "DELETE FROM store_transaction WHERE id = \(bought)"),
        Damage(
            "row-wrong",
            "UPDATE subscription SET next_product_id = 'none' WHERE phase = 'active'"),
        Damage(
            "entry-unbalanced",
            "\(Damage.open) UPDATE ledger_posting SET milliunits = milliunits + 1 "
                + "WHERE account_kind = 'developer'"),
        Damage("balance-wrong", "UPDATE credit_balance SET milliunits = milliunits + 1"),
        Damage(
            "entry-lost",
            "\(Damage.open) DELETE FROM ledger_posting WHERE entry_number = 1; "
                + "DELETE FROM ledger_entry WHERE number = 1"),
        Damage(
            "charge-lost",
            "\(Damage.open) UPDATE ledger_entry SET transaction_id = \(bought) WHERE number = \(charge)"
        ),
        Damage(
            "charge-unsold",
            "\(Damage.open) UPDATE ledger_entry SET transaction_id = 7 WHERE number = \(charge)"),
        Damage(
            "charged-twice",
            "\(Damage.open) UPDATE ledger_entry SET transaction_id = (SELECT transaction_id FROM "
                + "ledger_entry WHERE number = \(charge)) WHERE kind = 'charge'"),
        Damage(
            "charge-wrong",
            "UPDATE store_transaction SET charged_milliunits = charged_milliunits + 10 WHERE id = "
                + "(SELECT transaction_id FROM ledger_entry WHERE number = \(charge))"),
        Damage(
            "overdrawn",
            "\(Damage.open) UPDATE ledger_posting SET milliunits = 1000 * milliunits "
                + "WHERE entry_number = \(charge)"),
        Damage(
            "entry-wrong",
            "\(Damage.open) UPDATE ledger_posting SET account_id = 1 WHERE account_kind = 'customer'"
        ),
        Damage(
            "refund-wrong",
            "\(Damage.open) UPDATE ledger_entry SET kind = 'correction', transaction_id = NULL "
                + "WHERE kind = 'refund'"),
        Damage(
            "refund-wrong",
            "INSERT INTO revocation (transaction_id, reason, at_ms) SELECT transaction_id, 'issue', 1 FROM ledger_entry "
                + "WHERE number = \(charge)"),
        Damage(
            "topped-up-wrong",
            "\(Damage.open) UPDATE ledger_entry SET kind = 'correction' WHERE kind = 'topUp'"),
    ])
    func `the subscription auditor finds each kind of damage`(row: Damage) async throws {
        try await row.check()
    }
}
