import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// What devices see, and are sold, while changes of the catalogue are on their way.
struct PropagationTests {
    private let shop: ShopFixture
    private var store: TestStore { shop.store }
    private let minute: Int64 = 60_000

    init() throws {
        shop = try ShopFixture()
    }

    /// An account, a signed-in device and an empty file, at the world's second 1000.
    private func open(delay: Int64) async throws -> String {
        try await shop.hold(1_000)
        try await store.stock()
        let token = try await store.signIn()
        try await shop.set(delay: delay)
        return token
    }

    @Test func `a new product is unknown until the propagation delay has passed`() async throws {
        let token = try await open(delay: minute)
        let added = Samples.catalogue.replacingOccurrences(
            of: #""productID" : "\#(Samples.fuel)""#, with: #""productID" : "new.fuel""#)
        #expect(await shop.importFile(added).status == 200)
        #expect(try await shop.listed("new.fuel")?.settlesAt == ShopFixture.moment(1_060))
        for second in [1_000, 1_059] as [Int64] {
            try await shop.hold(second)
            #expect(try await shop.shown("new.fuel", token: token) == nil)
            #expect(try await shop.bought("new.fuel", token: token) == "productUnknown")
            // The file no longer has this one, and devices do not know that yet.
            #expect(try await shop.shown(Samples.fuel, token: token) != nil)
        }
        #expect(try await shop.bought(Samples.fuel, token: token) == "990")
        try await shop.hold(1_060)
        #expect(try await shop.shown("new.fuel", token: token)?.priceMilliunits == 990)
        #expect(try await shop.bought("new.fuel", token: token) == "990")
        #expect(try await shop.shown(Samples.fuel, token: token) == nil)
        #expect(try await shop.bought(Samples.fuel, token: token) == "productNotForSale")
        #expect(try await shop.listed("new.fuel")?.settlesAt == nil)
    }

    @Test func `devices see old states, prices and texts until the delay has passed`()
        async throws
    {
        let token = try await open(delay: minute)
        let removed = try await shop.set(Samples.turbo, .removedFromSale)
        #expect(removed.status == 200)
        _ = await shop.importFile(
            Samples.catalogue(fuelPrice: "1.49").replacingOccurrences(of: "A tank.", with: "Two."))
        #expect(try await shop.listed(Samples.fuel)?.price == "1.49")
        try await shop.hold(1_059)
        let before = try await shop.shown(Samples.fuel, token: token)
        #expect(before?.priceMilliunits == 990 && before?.localizedDescription == "A tank.")
        #expect(try await shop.bought(Samples.fuel, token: token) == "990")
        #expect(try await shop.bought(Samples.turbo, token: token) == "2990")
        try await shop.hold(1_060)
        let after = try await shop.shown(Samples.fuel, token: token)
        #expect(after?.priceMilliunits == 1_490 && after?.localizedDescription == "Two.")
        #expect(try await shop.bought(Samples.fuel, token: token) == "1490")
        #expect(try await shop.bought(Samples.turbo, token: token) == "productNotForSale")
    }

    @Test func `delayed changes arrive one after another`() async throws {
        let token = try await open(delay: minute)
        for (second, price) in [(1_000, "1"), (1_020, "2"), (1_040, "3")] as [(Int64, String)] {
            try await shop.hold(second)
            let answer = try await store.control(
                "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: price))
            #expect(answer.status == 200)
        }
        for (second, price) in [
            (1_059, "990"), (1_060, "1000"), (1_079, "1000"), (1_080, "2000"), (1_100, "3000"),
            (9_000, "3000"),
        ] as [(Int64, String)] {
            try await shop.hold(second)
            #expect(try await shop.bought(Samples.fuel, token: token) == price)
            #expect(
                try await shop.shown(Samples.fuel, token: token)?.priceMilliunits == Int64(price))
        }
    }

    @Test func `an undelayed change brings pending changes along`() async throws {
        let token = try await open(delay: minute)
        _ = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "1"))
        try await shop.set(delay: 0)
        #expect(try await shop.bought(Samples.fuel, token: token) == "990")
        _ = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/prices/USA", body: PriceBody(price: "2"))
        #expect(try await shop.bought(Samples.fuel, token: token) == "2000")
        _ = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/prices/USA", body: PriceBody(price: nil))
        #expect(try await shop.bought(Samples.fuel, token: token) == "1000")
    }

    @Test func `an app's own delay overrides the world's`() async throws {
        let token = try await open(delay: minute)
        let path = "\(ShopFixture.app)/delay"
        let answer = try await store.control("PUT", path, body: DelayBody(milliseconds: 0))
        #expect(
            try WireJSON.decode(AppBody.self, from: answer.body)
                == AppBody(
                    bundleId: TestStore.bundleID,
                    appAppleId: AppNumber.chosen(for: TestStore.bundleID).rawValue,
                    developer: "default", storefront: "USA",
                    delayMilliseconds: 0))
        _ = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "1"))
        #expect(try await shop.bought(Samples.fuel, token: token) == "1000")
        _ = try await store.control("PUT", path, body: DelayBody(milliseconds: nil))
        _ = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "3"))
        #expect(try await shop.bought(Samples.fuel, token: token) == "1000")
    }

    @Test func `pending changes survive a restart`() async throws {
        let folder = TemporaryFolder()
        var first: TestStore? = try TestStore(folder: folder)
        try await first?.stock()
        let token = try #require(try await first?.signIn())
        _ = try await first?.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: nil, delayMilliseconds: minute))
        _ = try await first?.control(
            "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "1"))
        first?.registry.close()
        first = nil
        let second = try TestStore(folder: folder)
        func price() async throws -> Int64? {
            let answer = await second.send(
                "POST", "/sandbox/device/v1/products", token: token,
                body: try WireJSON.encode(
                    ProductsRequestBody(productIdentifiers: [Samples.fuel], locale: nil)))
            return try WireJSON.decode(ProductsAnswerBody.self, from: answer.body).products.first?
                .priceMilliunits
        }
        #expect(try await price() == 990)
        second.move(byMilliseconds: minute)
        #expect(try await price() == 1_000)
    }

    @Test func `a clock set back shows the earlier version again`() async throws {
        try await shop.hold(5_000)
        try await store.stock()
        let token = try await store.signIn()
        try await shop.set(delay: minute)
        for (second, price) in [(5_000, "1"), (6_000, "2")] as [(Int64, String)] {
            try await shop.hold(second)
            _ = try await store.control(
                "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: price))
        }
        try await shop.hold(100)
        #expect(try await shop.shown(Samples.fuel, token: token)?.priceMilliunits == 1_000)
    }

    @Test func `a product's kind changes only where changes are seen at once`()
        async throws
    {
        _ = try await open(delay: minute)
        let other = Samples.catalogue(fuelPrice: "0.99", turboType: "Consumable")
        let answer = await shop.importFile(other)
        #expect(answer.status == 409 && errorCode(answer) == "kindNeedsNoDelay")
        #expect(try await shop.listed(Samples.turbo)?.kind == .nonConsumable)
        try await shop.set(delay: 0)
        #expect(await shop.importFile(other).status == 200)
    }

    @Test func `the number of pending changes per product is limited`() async throws {
        let token = try await open(delay: minute)
        var statuses: [Int] = []
        for number in 0...PropagationRules.versionsMax {
            let answer = try await store.control(
                "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "\(number + 1)"))
            statuses.append(answer.status)
            if answer.status != 200 { #expect(errorCode(answer) == "tooManyChanges") }
        }
        #expect(statuses.filter { $0 == 200 }.count == PropagationRules.versionsMax)
        #expect(statuses.last == 409)
        let file = try await store.control("GET", "\(ShopFixture.app)/catalog")
        #expect(
            String(decoding: file.body, as: UTF8.self).contains(
                "\"displayPrice\" : \"\(PropagationRules.versionsMax)\""))
        try await shop.hold(2_000)
        #expect(
            try await shop.bought(Samples.fuel, token: token)
                == "\(PropagationRules.versionsMax)000")
        let again = try await store.control(
            "PUT", shop.path(Samples.fuel) + "/price", body: PriceBody(price: "1"))
        #expect(again.status == 200)
    }

    @Test(arguments: [-1, PropagationRules.delayMillisecondsMax + 1, Int64.max, Int64.min])
    func `a propagation delay is 0 to 7 days`(milliseconds: Int64) async throws {
        _ = await shop.importFile()
        let world = try await store.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: .waitForReview, delayMilliseconds: milliseconds))
        let app = try await store.control(
            "PUT", "\(ShopFixture.app)/delay", body: DelayBody(milliseconds: milliseconds))
        for answer in [world, app] {
            #expect(answer.status == 422 && errorCode(answer) == "badField")
        }
        let kept = try WireJSON.decode(
            ShopBody.self, from: try await store.control("GET", "/control/v1/shop").body)
        #expect(kept == ShopBody(newProducts: .clearedForSale, delayMilliseconds: 0))
    }
}
