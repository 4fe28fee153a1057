import Foundation
import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// A world's file as the version before wrote it, with something in every table the step touches.
struct ShopMigrationTests {
    private let folder = TemporaryFolder()
    private let app = AppID(1)

    private func open(_ count: Int) throws -> Database {
        try Database(
            path: folder.path + "/w.sqlite", durability: .processOnly,
            migrations: Array(WorldSchema.migrations.prefix(count)))
    }

    private func fill(_ database: Database, file: String = Samples.catalogue) throws {
        let file = Array(file.utf8)
        try database.write { scope in
            try scope.execute(
                """
                INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
                VALUES (1, ?1, ?2, 'DEU', 5, 77)
                """, [.text(TestStore.bundleID), .blob(file)])
            for (id, kind, group, state, isInFile) in [
                (Samples.club, "autoRenewable", "AAAAAAAA" as String?, "clearedForSale", 1),
                (Samples.fuel, "consumable", nil, "pendingApproval", 1),
                (Samples.turbo, "nonConsumable", nil, "removedFromSale", 0),
            ] as [(String, String, String?, String, Int64)] {
                try scope.execute(
                    """
                    INSERT INTO product (app_id, product_id, kind, reference_name,
                        is_family_shareable, subscription_group, state, is_in_file,
                        price_milliunits)
                    VALUES (1, ?1, ?2, 'name', 1, ?3, ?4, ?5, 990)
                    """,
                    [.text(id), .text(kind), .text(group), .text(state), .integer(isInFile)])
            }
            try scope.execute(
                """
                INSERT INTO product_text (app_id, product_id, position, locale, name, description)
                VALUES (1, ?1, 0, 'en_US', 'Fuel', 'A tank.')
                """, [.text(Samples.fuel)])
            for (storefront, price) in [("JPN", 160_000), ("GBR", 890)] as [(String, Int64)] {
                try scope.execute(
                    """
                    INSERT INTO product_price (app_id, product_id, storefront, price_milliunits)
                    VALUES (1, ?1, ?2, ?3)
                    """, [.text(Samples.fuel), .text(storefront), .integer(price)])
            }
        }
    }

    @Test func `a filled database of the previous version keeps all its data`() throws {
        var database = try open(1)
        try fill(database)
        database.close()
        database = try open(WorldSchema.migrations.count)
        defer { database.close() }
        let products = try database.read { try $0.products(of: app) }.map(\.product)
        #expect(products.map(\.id.rawValue) == [Samples.club, Samples.fuel, Samples.turbo])
        #expect(products.map(\.state) == [.clearedForSale, .pendingApproval, .removedFromSale])
        #expect(products[0].subscriptionGroup == "AAAAAAAA" && products[0].renewalPeriod == nil)
        #expect(products[1].texts.map(\.name) == ["Fuel"])
        #expect(
            products[1].ownPrices == [
                DatedPrice(storefront: "GBR", price: Price(milliunits: 890), from: nil),
                DatedPrice(storefront: "JPN", price: Price(milliunits: 160_000), from: nil),
            ])
        #expect(products.allSatisfy { $0.category == nil && $0.isFamilyShareable })
        let row = try #require(try database.read { try $0.app(bundleID: TestStore.bundleID) })
        #expect(row.developer == "default" && row.delayMilliseconds == nil)
        #expect(row.storefront.countryCode == "DEU")
        let reviews = try database.read {
            try $0.reviews(of: app, product: nil, after: 0, countMax: 10)
        }
        #expect(reviews.map(\.state) == [.clearedForSale, .pendingApproval, .removedFromSale])
        #expect(reviews.allSatisfy { $0.step == .registered && $0.at.milliseconds == 77 })
    }

    @Test func `numbering continues after the numbers a migration assigned`() throws {
        var database = try open(1)
        try fill(database)
        database.close()
        database = try open(WorldSchema.migrations.count)
        defer { database.close() }
        let fuel = ProductID(Samples.fuel)
        let now = Timestamp(seconds: 100)
        let entry = try database.write { [app] scope in
            try scope.addReview(.approved, of: fuel, in: app, to: .clearedForSale, now: now)
            #expect(try scope.addDeveloper("default") == false)
            #expect(try scope.addDeveloper("second"))
            return try scope.addPrice(
                DatedPrice(storefront: "FRA", price: nil, from: now), of: fuel, in: app, now: now)
        }
        #expect(entry.number == 3)
        let last = try database.read { try $0.lastReview(of: fuel, in: app) }
        #expect(last?.number == 4)
        #expect(try database.read { try $0.developers() } == ["default", "second"])
    }

    @Test func `periods, levels and offers are read from the stored catalogue file`() throws {
        var database = try open(1)
        try fill(
            database,
            file: Samples.catalogue.replacingOccurrences(
                of: #""introductoryOffer" : null"#,
                with: #""introductoryOffer":{"paymentMode":"free","subscriptionPeriod":"P1W"}"#))
        database.close()
        database = try open(WorldSchema.migrations.count)
        defer { database.close() }
        try TermsBackfill.run(in: database)
        let club = try database.read { try $0.product(ProductID(Samples.club), of: app) }
        #expect(club?.renewalPeriod == .month && club?.groupLevel == 1)
        #expect(club?.offers.map(\.span) == [.days(7)])
        try TermsBackfill.run(in: database)
    }

    @Test func `a stored catalogue file that would now be refused does not prevent a start`() throws
    {
        var database = try open(1)
        try fill(
            database,
            file: Samples.catalogue.replacingOccurrences(
                of: "\"groupNumber\" : 1", with: "\"groupNumber\" : 0"))
        database.close()
        database = try open(WorldSchema.migrations.count)
        defer { database.close() }
        try TermsBackfill.run(in: database)
        let club = try database.read { try $0.product(ProductID(Samples.club), of: app) }
        #expect(club != nil && club?.renewalPeriod == nil)
    }

    @Test func `an empty database of the previous version opens, too`() throws {
        try open(1).close()
        let database = try open(2)
        defer { database.close() }
        let shop = try database.read { try $0.shop() }
        #expect(!shop.newProductsWait && shop.delayMilliseconds == 0)
        #expect(try database.read { try $0.developers() } == ["default"])
    }
}
