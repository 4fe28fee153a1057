import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Worlds that an older version of this program wrote.
struct MigrationTests {
    @Test func `accounts and devices of the first schema are kept unchanged`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let first = try Database(
            path: path, durability: .full, migrations: Array(WorldSchema.migrations.prefix(1)))
        try first.write { scope in
            try scope.execute(
                """
                INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                    locked_until_real_ms, created_ms)
                VALUES (1, 'sandbox', 'buyer', 'DEU', 'x', 5, 1714558890123, 1)
                """)
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'com.example.a', x'7b7d', 'USA', 1, 1)
                """)
            try scope.execute(
                """
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'sandbox', 1, 'G', '1', 1)
                """)
            try scope.execute(
                """
                INSERT INTO device_token (digest, device_id, account_id, expires_real_ms)
                VALUES (x'01', 1, 1, 4000000000000)
                """)
        }
        first.close()
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 1))
        defer { registry.close() }
        let found = try registry.defaultWorld.database.read {
            try $0.accountOverviews(realNow: TestStore.start)
        }
        #expect(found.count == 1)
        #expect(found.first?.account.storefront.countryCode == "DEU")
        #expect(found.first?.record.failures == 5)
        #expect(found.first?.lock == nil || found.first?.lock?.reason == nil)
        #expect(found.first?.devicesSignedIn == 1)
    }

    @Test func `the history of an older schema is kept unchanged`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let older = try Database(
            path: path, durability: .full, migrations: Array(WorldSchema.migrations.prefix(3)))
        _ = try older.write { scope in
            try scope.execute(
                """
                INSERT INTO event
                    (number, environment, app_id, account_id, kind, transaction_id, at_ms)
                VALUES (1, 'sandbox', 2, 3, 'purchased', 4, 5),
                    (2, 'sandbox', 2, 3, 'finished', 4, 6)
                """)
        }
        older.close()
        let migrated = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        defer { migrated.close() }
        let found = try migrated.read { scope in
            try scope.rows(
                """
                SELECT number, app_id, account_id, kind, transaction_id, subject, at_ms FROM event
                ORDER BY number
                """
            ).map { row in
                (0...6).map { $0 == 3 || $0 == 5 ? row.textOrNil($0) : "\(row.integer($0))" }
            }
        }
        #expect(
            found == [
                ["1", "2", "3", "purchased", "4", nil, "5"],
                ["2", "2", "3", "finished", "4", nil, "6"],
            ])
    }

    @Test func `purchases of an older schema can be restored`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let older = try Database(
            path: path, durability: .full, migrations: Array(WorldSchema.migrations.prefix(4)))
        try older.write { scope in
            try scope.execute(
                """
                INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                    locked_until_real_ms, created_ms)
                VALUES (1, 'sandbox', 'buyer', 'USA', 'x', 0, NULL, 1)
                """)
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'com.example.a', x'7b7d', 'USA', 1, 1)
                """)
            try scope.execute(
                """
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'sandbox', 1, 'G', '1', 1)
                """)
            for (id, finished) in [(7, "5"), (8, "NULL")] {
                try scope.execute(
                    """
                    INSERT INTO store_transaction (id, original_id, environment, app_id,
                        account_id, device_id, attempt_id, product_id, kind, quantity,
                        purchased_ms, originally_purchased_ms, charged_milliunits, currency,
                        storefront, finished_ms)
                    VALUES (\(id), \(id), 'sandbox', 1, 1, 1, 'A\(id)', 'p\(id)', 'nonConsumable',
                        1, 4, 4, 990, 'USD', 'USA', \(finished))
                    """)
            }
        }
        older.close()
        let migrated = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        defer { migrated.close() }
        let (purchases, receipt) = try migrated.read { scope in
            (
                try scope.purchasesToRestore(
                    of: AccountID(1), in: AppID(1), after: TransactionID(0), countMax: 10),
                try scope.receiptTransactions(of: AccountID(1), in: AppID(1))
            )
        }
        #expect(purchases.map(\.id) == [TransactionID(7)])
        #expect(receipt.map(\.id) == [TransactionID(7), TransactionID(8)])
        #expect(receipt.allSatisfy { $0.restoration == nil })
    }

    @Test func `accounts of an older schema need no approval and see no interruptions`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let older = try Database(
            path: path, durability: .full, migrations: Array(WorldSchema.migrations.prefix(6)))
        _ = try older.write { scope in
            try scope.execute(
                """
                INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                    created_ms) VALUES (1, 'sandbox', 'buyer', 'DEU', 'h', 0, 5)
                """)
        }
        older.close()
        let migrated = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        defer { migrated.close() }
        #expect(try migrated.read { try $0.settings(of: AccountID(1)) } == .plain)
        #expect(try migrated.read { try $0.waitingCount(of: AccountID(1)) } == 0)
    }

    @Test func `attempts refused by production before an upgrade keep their answers`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let older = try Database(
            path: path, durability: .full,
            migrations: WorldSchema.migrations.filter { $0.number < WorldSchema.payments.number })
        _ = try older.write { scope in
            try scope.execute(
                """
                INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                    created_ms) VALUES (1, 'production', 'buyer', 'USA', 'h', 0, 5)
                """)
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, 'com.example.a', x'7b7d', 'USA', 1, 1)
                """)
            try scope.execute(
                """
                INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
                VALUES (1, 'production', 1, 'G', '1', 1)
                """)
            try scope.execute(
                """
                INSERT INTO attempt (device_id, attempt_id, account_id, body_digest, state,
                    refusal, created_ms, changed_ms)
                VALUES (1, 'A', 1, x'01', 'refused', 'productionClosed', 1, 1)
                """)
        }
        older.close()
        let migrated = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        defer { migrated.close() }
        let attempt = try #require(
            try migrated.read { try $0.attempt(AttemptID("A"), of: DeviceID(1)) })
        #expect(attempt.refusal == .productionClosed && attempt.missing == nil)
        #expect(RefusalBody(of: attempt)?.message == RefusalCode.productionClosed.message)
    }

    @Test func `accounts of an older schema start without credit and can receive some`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/default.sqlite"
        let older = try Database(
            path: path, durability: .full,
            migrations: WorldSchema.migrations.filter { $0.number < WorldSchema.ledger.number })
        _ = try older.write { scope in
            try scope.execute(
                """
                INSERT INTO account (id, environment, name, storefront, password_hash, failures,
                    created_ms) VALUES (1, 'production', 'buyer', 'USA', 'h', 0, 5)
                """)
        }
        older.close()
        let migrated = try Database(
            path: path, durability: .full, migrations: WorldSchema.migrations)
        defer { migrated.close() }
        let dollar = Storefront.default.currency
        let request = CreditRequest(
            id: "A", purpose: .topUp, account: AccountID(1), environment: .production,
            storefront: .default, milliunits: 5, currency: nil)
        #expect(try migrated.read { try $0.credits(of: AccountID(1)) } == [])
        _ = try migrated.write { try $0.change(request, at: TestStore.start) }
        let credit = try migrated.read { try $0.credit(of: AccountID(1), in: dollar) }
        #expect(credit == Money(milliunits: 5, currency: dollar))
    }
}
