import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import Testing

@testable import AppStoreServer

/// Worlds that an older version of this program wrote.
struct MigrationTests {
    @Test func `accounts and devices of the first schema are there as they were`() throws {
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
}
