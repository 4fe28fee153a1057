import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Worlds from before there were keys and codes for offers.
struct OfferMigrationTests {
    @Test func `an app of an older schema gets keys, codes and an issuer`() async throws {
        let folder = TemporaryFolder()
        let before = WorldSchema.migrations.prefix { $0.number < WorldSchema.offerKeys.number }
        let older = try Database(
            path: folder.path + "/default.sqlite", durability: .full, migrations: Array(before))
        try older.write { scope in
            _ = try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, ?1, x'7b7d', 'USA', 1, 1)
                """, [.text(TestStore.bundleID)])
        }
        older.close()
        let store = try TestStore(folder: folder)
        let listed = try await store.control("GET", OfferFixture.keys)
        #expect(
            try WireJSON.decode(OfferKeysBody.self, from: listed.body)
                == OfferKeysBody(issuerId: nil, keys: []))
        await store.send(
            "PUT", "\(OfferFixture.app)/catalog", token: TestStore.controlToken,
            body: Array(OfferFixture.catalogue(keyPair: OfferFixture.pair()).utf8)
        ).expectStatus(200)
        let keys = try await store.control("GET", OfferFixture.keys)
        let body = try WireJSON.decode(OfferKeysBody.self, from: keys.body)
        #expect(body.issuerId != nil && body.keys.count == 1)
        try await store.control(
            "POST", OfferFixture.codes,
            body: MakeOfferCodeBody(offerId: OfferFixture.fair, count: 3)
        ).expectStatus(201)
    }
}
