import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// Worlds from before payment providers were asked.
struct ProviderMigrationTests {
    @Test func `a migration keeps the ledger and open payments, and both stay guarded`() throws {
        let folder = TemporaryFolder()
        let before = WorldSchema.migrations.prefix {
            $0.number < WorldSchema.providerPayments.number
        }
        let path = folder.path + "/default.sqlite"
        let older = try Database(path: path, durability: .full, migrations: Array(before))
        try older.write { scope in
            for statement in Self.rows { try scope.execute(statement) }
        }
        older.close()
        let store = try TestStore(folder: folder)
        let database = store.registry.defaultWorld.database
        let kept = try database.read { scope in
            try scope.rows(
                """
                SELECT reference || ' ' || account_kind || ' ' || milliunits FROM ledger_entry
                JOIN ledger_posting ON entry_number = number ORDER BY account_kind
                """
            ).map { $0.text(0) }
                + scope.rows(
                    "SELECT cause || ' ' || promotional_offer_id FROM waiting_purchase"
                ).map { $0.text(0) }
        }
        #expect(
            kept == ["request/r customer 500", "request/r funding -500", "approval offer"])
        for statement in [
            "DELETE FROM ledger_posting", "UPDATE ledger_entry SET note = 'x'",
            "INSERT INTO ledger_entry VALUES (2, 'production', 'gift', 1, 'r', NULL, NULL)",
            """
            INSERT INTO waiting_purchase (number, device_id, attempt_id, account_id, cause,
                product_id, quantity, asked_ms)
            SELECT 2, device_id, 'b', account_id, 'weather', product_id, 1, 1 FROM waiting_purchase
            """,
        ] {
            #expect(throws: DatabaseError.self, "\(statement)") {
                try database.write { try $0.execute(statement) }
            }
        }
        #expect(try store.ledgerFinding().state == .good)
    }

    @Test func `payments queued before the queues were split are still requested`() async throws {
        let folder = TemporaryFolder()
        let before = WorldSchema.migrations.prefix { $0.number < WorldSchema.openPayments.number }
        let older = try Database(
            path: folder.path + "/default.sqlite", durability: .full, migrations: Array(before))
        let now = TestStore.start.milliseconds
        try older.write { scope in
            // The app, the account and its device.
            for statement in Self.rows.prefix(3) { try scope.execute(statement) }
            for statement in [
                """
                INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state,
                    created_ms, changed_ms)
                VALUES (1, 'a', 1, x'00', 'charging', 1, 1)
                """,
                """
                INSERT INTO waiting_purchase (number, device_id, attempt_id, account_id, cause,
                    product_id, quantity, asked_ms)
                VALUES (1, 1, 'a', 1, 'payment', 'fuel', 1, 1)
                """,
                """
                INSERT INTO payment (id, number, environment, account_id, app_id, product_id,
                    waiting_number, milliunits, currency, asked_ms, asked_real_ms, state, tries,
                    next_real_ms)
                VALUES ('p', 1, 'production', 1, 1, 'fuel', 1, 990, 'USD', 1, \(now),
                    'authorizing', 0, \(now))
                """,
            ] { try scope.execute(statement) }
        }
        older.close()
        let provider = ScriptedProvider()
        let store = try TestStore(folder: folder, provider: provider)
        // No store has been at this file: it is one of a new world, in which nothing is open.
        store.registry.defaultWorld.payments?.wake()
        try await store.settlePayments()
        // The shop has no such product any more.
        #expect(provider.asked == ["authorize 990", "void"])
        #expect(try store.attemptState("a") == .refused)
    }

    private static let rows = [
        """
        INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
        VALUES (1, '\(TestStore.bundleID)', x'7b7d', 'USA', 1, 1)
        """,
        """
        INSERT INTO account (id, environment, name, storefront, password_hash, failures, created_ms)
        VALUES (1, 'production', 'payer', 'USA', 'x', 0, 1)
        """,
        """
        INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
        VALUES (1, 'production', 1, '\(TestStore.guid)', '1.0', 1)
        """,
        """
        INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state, created_ms,
            changed_ms)
        VALUES (1, 'a', 1, x'00', 'deferred', 1, 1)
        """,
        """
        INSERT INTO waiting_purchase (number, device_id, attempt_id, account_id, cause, product_id,
            quantity, asked_ms, promotional_offer_id)
        VALUES (1, 1, 'a', 1, 'approval', 'fuel', 1, 1, 'offer')
        """,
        """
        INSERT INTO ledger_entry (number, environment, kind, at_ms, reference)
        VALUES (1, 'production', 'topUp', 1, 'request/r')
        """,
        "INSERT INTO ledger_posting VALUES (1, 'customer', 1, 500, 'USD')",
        "INSERT INTO ledger_posting VALUES (1, 'funding', 0, -500, 'USD')",
        "INSERT INTO credit_balance VALUES (1, 'USD', 500)",
    ]
}
