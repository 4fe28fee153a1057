import Testing

@testable import AppStoreServer

/// The auditor of subscriptions finds each kind of damage to payments through a provider, in the
/// store and in the provider's book.
struct ProviderAuditorTests {
    /// The newest payment in a state.
    private static func newest(_ state: String) -> String {
        "(SELECT id FROM payment WHERE state = '\(state)' ORDER BY number DESC LIMIT 1)"
    }

    /// The entry of what the newest one that was captured gave.
    private static let entry = """
        (SELECT number FROM ledger_entry WHERE reference = 'payment/' || \(newest("captured")))
        """

    @Test(arguments: [
        Damage("payment-wrong", "UPDATE payment SET milliunits = milliunits + 10"),
        Damage("payment-wrong", "UPDATE payment SET account_id = (SELECT max(id) FROM account)"),
        Damage(
            "captured-wrong",
            "UPDATE payment SET captured_milliunits = captured_milliunits - 10 WHERE id = "
                + newest("captured")),
        Damage(
            "captured-wrong",
            "\(Damage.open) UPDATE ledger_posting SET milliunits = "
                + "milliunits - sign(milliunits) * 10 WHERE entry_number = \(entry)"),
        Damage(
            "sums-differ",
            "\(Damage.open) UPDATE ledger_posting SET milliunits = 2 * milliunits "
                + "WHERE entry_number = \(entry)"),
        Damage(
            "captured-unsold",
            "UPDATE payment SET state = 'declined' WHERE id = " + newest("captured")),
        Damage(
            "declined-wrong",
            "UPDATE payment SET state = 'declined' WHERE id = " + newest("captured")),
        Damage(
            "voided-wrong",
            "UPDATE payment SET state = 'voided' WHERE id = " + newest("declined")),
        Damage(
            "failed-wrong", "UPDATE payment SET state = 'failed' WHERE id = " + newest("captured")),
        Damage(
            "on-its-way",
            "UPDATE payment SET state = 'capturing', next_real_ms = 1 WHERE id = "
                + newest("captured")),
        Damage(
            "payment-unknown", "DELETE FROM payment WHERE id = " + newest("captured")),
        Damage("ledger-wrong", "DELETE FROM payment WHERE id = " + newest("captured")),
        Damage(
            "ledger-wrong",
            "UPDATE payment SET transaction_id = NULL, captured_milliunits = NULL, "
                + "state = 'voided' WHERE id = " + newest("captured")),
        Damage(
            "sale-lost", "UPDATE payment SET transaction_id = 7 WHERE id = " + newest("captured")),
        Damage("refund-unknown", "DELETE FROM payment_refund"),
        Damage("refund-lost", "UPDATE payment_refund SET state = 'refunded'"),
        Damage("refund-twice", "UPDATE payment_refund SET state = 'failed'"),
        Damage("returned-wrong", "UPDATE payment_refund SET state = 'failed'"),
        Damage("refund-wrong", "UPDATE payment_refund SET milliunits = milliunits + 10"),
    ])
    func `the auditor finds damage to the store's payment records`(row: Damage) async throws {
        try await row.check()
    }

    /// The newest payment of a book that was captured.
    private static let taken = "[row for row in book['payment'] if row.get('captured')][-1]"

    @Test(arguments: [
        Damage("captured-wrong", "\(taken)['captured'] -= 10", to: .book),
        Damage("sums-differ", "\(taken)['captured'] -= 10", to: .book),
        Damage("captured-too-much", "\(taken)['captured'] += 1000000", to: .book),
        Damage("captured-wrong", "del \(taken)['captured']", to: .book),
        Damage("held", "del \(taken)['captured']", to: .book),
        Damage("payment-unknown", "\(taken)['id'] = 'another'", to: .book),
        Damage("payment-wrong", "\(taken)['customer_id'] = '1'", to: .book),
        Damage("refund-lost", "book['refund'].pop()", to: .book),
        Damage(
            "refunded-too-much",
            "book['refund'] += [{**row, 'id': row['id'] + 'x'} for row in book['refund']]",
            to: .book),
        Damage(
            "refund-unknown",
            "book['refund'] += [{**row, 'id': row['id'] + 'x'} for row in book['refund']]",
            to: .book),
        Damage(
            "asked-twice",
            "book['request'] += [{**row, 'key': row['key'] + 'x'} for row in book['request']]",
            to: .book),
        Damage(
            "misuse",
            "book['misuse'].append({'status': 409, 'address': '/voids', 'sentence': 'again'})",
            to: .book),
    ])
    func `the auditor finds damage to the provider's payment records`(row: Damage) async throws {
        try await row.check()
    }

    /// A finding names the buyer by whose seed it can be gone through alone.
    @Test func `an auditor's finding names its seed`() async throws {
        let found = try await DamagedWorld.findings(
            after: "\(Self.taken)['captured'] -= 10", to: .book)
        #expect(found.contains { $0.hasPrefix("captured-wrong: seed-") }, "\(found)")
    }
}
