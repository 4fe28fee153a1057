import Testing

@testable import AppStoreServer

/// The auditor of subscriptions finds each kind of damage to families, to requests for money, and to
/// what is bought at once.
struct FamilyAuditorTests {
    /// The newest copy of somebody's purchase in a family.
    private static let copy = "(SELECT max(id) FROM store_transaction WHERE \(isCopy))"
    /// The newest that a member has now.
    private static let held = """
        (SELECT max(id) FROM store_transaction WHERE \(isCopy)
            AND account_id IN (SELECT account_id FROM family_member)
            AND id NOT IN (SELECT transaction_id FROM revocation))
        """
    private static let isFuel = "kind = 'consumable'"
    private static let isCopy = "shared_id IS NOT NULL AND restore_id IS NULL"

    @Test(arguments: [
        Damage("copy-wrong", "UPDATE store_transaction SET shared_id = 7 WHERE id = \(copy)"),
        Damage(
            "copy-wrong",
            "UPDATE store_transaction SET expires_ms = expires_ms + 1 WHERE id = \(copy)"),
        Damage(
            "copy-wrong",
            "UPDATE store_transaction SET application_username = 'mother' WHERE id = \(copy)"),
        Damage(
            "copy-wrong",
            "UPDATE store_transaction SET purchased_ms = purchased_ms - 99 * 86400000 "
                + "WHERE \(isCopy)"),
        Damage(
            "copy-wrong",
            """
            UPDATE event SET account_id = (SELECT max(id) FROM account)
            WHERE transaction_id = \(copy);
            UPDATE store_transaction SET account_id = (SELECT max(id) FROM account)
            WHERE id = \(copy)
            """),
        Damage("money", "UPDATE store_transaction SET charged_milliunits = 10 WHERE id = \(copy)"),
        Damage(
            "original-wrong",
            "UPDATE store_transaction SET original_id = id WHERE \(isCopy) AND is_renewal = 1"),
        Damage("event-lost", "UPDATE event SET kind = 'finished' WHERE kind = 'shared'"),
        // One that was over long ago, and one that somebody has now.
        Damage(
            "copy-lost",
            "DELETE FROM store_transaction WHERE id = "
                + "(SELECT min(id) FROM store_transaction WHERE is_renewal = 1 AND \(isCopy))"),
        Damage(
            "copy-lost",
            "UPDATE event SET kind = 'finished' WHERE transaction_id = \(held); "
                + "DELETE FROM store_transaction WHERE id = \(held)"),
        Damage("copy-kept", "DELETE FROM family_member"),
        Damage("family-wrong", "UPDATE family_member SET is_organiser = 1"),
        Damage(
            "family-told-wrong",
            "UPDATE family_member SET shares_purchases = 1 - shares_purchases"),
        Damage(
            "family-told-wrong",
            "DELETE FROM event WHERE kind = 'shared' AND transaction_id IN "
                + "(SELECT id FROM store_transaction WHERE id = original_id AND \(isCopy))"),
        Damage(
            "copy-twice",
            """
            CREATE TABLE copied AS SELECT * FROM store_transaction WHERE id = \(copy);
            UPDATE copied SET id = id + 100, attempt_id = 'copied';
            INSERT INTO store_transaction SELECT * FROM copied; DROP TABLE copied
            """),
        Damage(
            "copy-taken",
            """
            INSERT INTO event SELECT 1 + (SELECT max(number) FROM event), environment, app_id,
                account_id, 'revoked', id, NULL, (SELECT max(at_ms) FROM event)
            FROM store_transaction WHERE id = \(copy)
            """),
        Damage(
            "revoked-half",
            "DELETE FROM revocation WHERE transaction_id IN (SELECT id FROM store_transaction "
                + "WHERE shared_id IN (SELECT transaction_id FROM revocation))"),
        Damage(
            "receipt-differs",
            "UPDATE store_transaction SET shared_id = NULL WHERE shared_id IS NOT NULL"),
    ])
    func `the auditor finds damage to family-shared purchases`(row: Damage) async throws {
        try await row.check()
    }

    @Test(arguments: [
        Damage("told-lost", "UPDATE refund_request SET declined_ms = NULL"),
        Damage("request-lost", "DELETE FROM refund_request"),
        Damage("event-lost", "UPDATE refund_request SET requested_ms = requested_ms - 1"),
        Damage("event-lost", "UPDATE event SET kind = 'finished' WHERE kind = 'refundReversed'"),
        Damage("event-wrong", "UPDATE event SET subject = '' WHERE kind = 'refundRequested'"),
        Damage(
            "request-wrong",
            "UPDATE refund_request SET requested_ms = requested_ms + 91 * 86400000"),
        Damage("request-wrong", "UPDATE refund_request SET answered_ms = 1 WHERE consented = 1"),
        Damage(
            "request-wrong",
            "UPDATE refund_request SET transaction_id = \(copy) WHERE transaction_id = "
                + "(SELECT max(transaction_id) FROM refund_request)"),
        Damage("answer-wrong", "UPDATE refund_request SET consented = 0 WHERE consented = 1"),
        Damage("answer-wrong", "UPDATE refund_request SET consumed_percentage = 5"),
        Damage(
            "grant-wrong",
            "UPDATE refund_request SET grant_percentage = grant_percentage - 1 "
                + "WHERE grant_percentage > 0"),
        Damage("grant-wrong", "UPDATE refund_request SET grant_milliunits = grant_milliunits + 1"),
        Damage(
            "grant-wrong",
            "UPDATE refund_request SET answered_ms = requested_ms + 43200001 "
                + "WHERE grant_type = 'REFUND_PRORATED' AND consumed_percentage > 0"),
        Damage("taken-wrong", "DELETE FROM revocation WHERE refund_id IS NOT NULL"),
        Damage(
            "taken-wrong",
            "UPDATE revocation SET reason = CASE reason WHEN 'issue' THEN 'other' "
                + "ELSE 'issue' END WHERE refund_id IS NOT NULL"),
        Damage("taken-wrong", "UPDATE refund_request SET reversed_ms = granted_ms"),
        Damage(
            "refund-lost",
            "\(Damage.open) UPDATE ledger_entry SET at_ms = at_ms + 1 "
                + "WHERE reference LIKE 'refund/revocation/%'"),
        Damage(
            "refund-lost",
            "\(Damage.open) UPDATE ledger_entry SET at_ms = at_ms + 1 WHERE reference LIKE 'reversal/%'"
        ),
        Damage(
            "refund-renews",
            "UPDATE event SET kind = 'finished' WHERE kind = 'renewalChanged' AND subject IS NULL"),
        Damage("event-twice", "UPDATE event SET kind = 'revoked' WHERE kind = 'refundReversed'"),
    ])
    func `the auditor finds damage to refund requests`(row: Damage) async throws {
        try await row.check()
    }

    @Test(arguments: [
        Damage("money", "UPDATE store_transaction SET charged_milliunits = 1 WHERE \(isFuel)"),
        Damage("original-wrong", "UPDATE store_transaction SET original_id = 1 WHERE \(isFuel)"),
        Damage(
            "event-lost",
            "UPDATE event SET kind = 'finished' WHERE kind = 'purchased' "
                + "AND transaction_id IN (SELECT id FROM store_transaction WHERE \(isFuel))"),
    ])
    func `the auditor finds damage to one-time purchases`(row: Damage) async throws {
        try await row.check()
    }
}
