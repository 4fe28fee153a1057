import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

struct PriceScheduleTests {
    private let shop: ShopFixture
    private var store: TestStore { shop.store }
    private var schedule: String { shop.path(Samples.fuel) + "/price-schedule" }

    init() throws {
        shop = try ShopFixture()
    }

    private func add(
        _ price: String?, from seconds: Int64, storefront: String = "JPN"
    ) async throws -> HTTPResponse {
        try await store.control(
            "POST", schedule,
            body: AddPriceBody(
                storefront: storefront, price: price, from: ShopFixture.moment(seconds)))
    }

    private func listed() async throws -> [PriceEntryBody] {
        let answer = try await store.control("GET", schedule)
        return try WireJSON.decode(PricesBody.self, from: answer.body).prices
    }

    private func open() async throws -> String {
        try await shop.hold(1_000)
        try await store.stock(storefront: "JPN")
        return try await store.signIn()
    }

    @Test func `the price in force is shown and charged day by day`() async throws {
        let token = try await open()
        #expect(try await add("160", from: 2_000).status == 201)
        #expect(try await add("120", from: 3_000).status == 201)
        #expect(try await add(nil, from: 4_000).status == 201)
        for (second, milliunits) in [
            (1_999, 1_000), (2_000, 160_000), (2_999, 160_000), (3_000, 120_000), (4_000, 1_000),
        ] as [(Int64, Int64)] {
            try await shop.hold(second)
            #expect(
                try await shop.shown(Samples.fuel, token: token)?.priceMilliunits == milliunits)
            #expect(try await shop.bought(Samples.fuel, token: token) == "\(milliunits)")
        }
        #expect(try await listed().map(\.state) == [.past, .past, .inForce])
        #expect(try await shop.listed(Samples.fuel)?.storefrontPrices == [:])
    }

    @Test func `an immediate price replaces the current one and leaves scheduled ones`()
        async throws
    {
        let token = try await open()
        _ = try await add("160", from: 1_500)
        _ = try await add("120", from: 3_000)
        try await shop.hold(2_000)
        for _ in 0..<2 {
            _ = try await store.control(
                "PUT", shop.path(Samples.fuel) + "/prices/JPN", body: PriceBody(price: "150"))
        }
        #expect(try await shop.bought(Samples.fuel, token: token) == "150000")
        #expect(try await listed().map(\.state) == [.replaced, .coming, .inForce])
        #expect(try await shop.listed(Samples.fuel)?.storefrontPrices == ["JPN": "150"])
        try await shop.hold(3_000)
        #expect(try await shop.bought(Samples.fuel, token: token) == "120000")
    }

    @Test func `a scheduled price can be cancelled once and for all`() async throws {
        let token = try await open()
        let added = try WireJSON.decode(
            PriceEntryBody.self, from: try await add("160", from: 2_000).body)
        #expect(added.state == .coming && added.currency == "JPY")
        for _ in 0..<2 {
            let answer = try await store.control("DELETE", "\(schedule)/\(added.number)")
            #expect(answer.status == 200)
            let entry = try WireJSON.decode(PriceEntryBody.self, from: answer.body)
            #expect(entry.state == .cancelled)
        }
        // The date is free again.
        #expect(try await add("170", from: 2_000).status == 201)
        try await shop.hold(2_000)
        #expect(try await shop.bought(Samples.fuel, token: token) == "170000")
        let begun = try await listed().last
        let late = try await store.control("DELETE", "\(schedule)/\(begun?.number ?? 0)")
        #expect(late.status == 409 && errorCode(late) == "priceHasBegun")
    }

    @Test(arguments: ["0", "99", "x", "-1", "99999999999999999999"])
    func `cancelling an unknown schedule entry is refused`(number: String) async throws {
        _ = try await open()
        let answer = try await store.control("DELETE", "\(schedule)/\(number)")
        #expect(answer.status == 404 && errorCode(answer) == "priceUnknown")
    }

    @Test func `another product's schedule entry cannot be cancelled through this one`()
        async throws
    {
        _ = try await open()
        _ = try await add("160", from: 2_000)
        let answer = try await store.control(
            "DELETE", shop.path(Samples.turbo) + "/price-schedule/1")
        #expect(answer.status == 404)
        #expect(try await listed().map(\.state) == [.coming])
    }

    @Test func `a repeated price is one entry and another price at that moment is refused`()
        async throws
    {
        _ = try await open()
        #expect(try await add("160", from: 2_000).status == 201)
        #expect(try await add("160", from: 2_000).status == 200)
        let taken = try await add("161", from: 2_000)
        #expect(taken.status == 409 && errorCode(taken) == "dateTaken")
        #expect(try await listed().count == 1)
    }

    @Test(
        arguments: [
            (#"{"storefront":"JPN","price":"1","from":946685800000}"#, 422, "dateIsOver"),
            (#"{"storefront":"JPN","price":"1","from":-1}"#, 422, "dateOutOfRange"),
            (#"{"storefront":"JPN","price":"1","from":4102444800000}"#, 422, "dateOutOfRange"),
            (#"{"storefront":"JPN","price":"-1","from":946686800000}"#, 422, "badPrice"),
            (#"{"storefront":"JPN","price":"0.99","from":946686800000}"#, 422, "badPrice"),
            (#"{"storefront":"DEU","price":"0.995","from":946686800000}"#, 422, "badPrice"),
            (#"{"storefront":"XXX","price":"1","from":946686800000}"#, 422, "storefrontUnknown"),
            (#"{"storefront":"JPN","price":"1"}"#, 400, "badBody"),
            (#"{"storefront":"JPN","price":"1","from":9223372036854775807}"#, 400, "badBody"),
            (#"{"storefront":"JPN","price":1,"from":946686800000}"#, 400, "badBody"),
            (#"{"price":"1","from":946686800000}"#, 400, "badBody"), ("", 400, "badBody"),
        ])
    func `an invalid price is refused and changes nothing`(
        body: String, status: Int, code: String
    ) async throws {
        _ = try await open()
        let answer = await store.send(
            "POST", schedule, token: TestStore.controlToken, body: Array(body.utf8))
        #expect(answer.status == status)
        #expect(errorCode(answer) == code)
        #expect(try await listed().isEmpty)
    }

    @Test func `scheduled prices survive an import and stay out of the exported file`() async throws
    {
        _ = try await open()
        _ = try await add("160", from: 2_000)
        #expect(await shop.importFile(Samples.catalogue(fuelPrice: "1.49")).status == 200)
        #expect(try await listed().map(\.state) == [.coming])
        let file = try await store.control("GET", "\(ShopFixture.app)/catalog")
        #expect(
            String(decoding: file.body, as: UTF8.self) == Samples.catalogue(fuelPrice: "1.49"))
    }

    @Test func `the later of a price's date and the propagation delay decides`() async throws {
        let token = try await open()
        try await shop.set(delay: 600_000)
        // Added at 1000 it arrives at 1600: a price from 1300 is seen then, one from 2000 in time.
        _ = try await add("160", from: 1_300)
        _ = try await add("170", from: 2_000)
        for (second, milliunits) in [
            (1_300, 1_000), (1_599, 1_000), (1_600, 160_000), (2_000, 170_000),
        ] as [(Int64, Int64)] {
            try await shop.hold(second)
            #expect(try await shop.bought(Samples.fuel, token: token) == "\(milliunits)")
        }
    }
}
