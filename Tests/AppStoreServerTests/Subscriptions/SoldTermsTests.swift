import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What an import may change of subscriptions, and what they cost next.
struct SoldTermsTests {
    private typealias Fixture = SubscriptionFixture

    private func importing(_ text: String, into store: SubscriptionFixture) async -> HTTPResponse {
        await store.store.send(
            "PUT", "\(Fixture.app)/catalog", token: TestStore.controlToken, body: Array(text.utf8))
    }

    /// The catalogue with silver for a year, or in a group of its own.
    private static func changed(_ field: String) throws -> String {
        let file = Fixture.catalogue(trial: nil)
        switch field {
        case "recurringSubscriptionPeriod":
            let silver =
                "\"productID\" : \"\(Fixture.silver)\",\n"
                + "  \"recurringSubscriptionPeriod\" : \"P1M\""
            let year = silver.replacing("P1M", with: "P1Y")
            let text = file.replacing(silver, with: year)
            try #require(text != file)
            return text
        default:
            return file.replacing(Fixture.group, with: "8D7C0A99")
        }
    }

    @Test(arguments: ["recurringSubscriptionPeriod", "subscriptionGroupID"], [true, false])
    func `a sold subscription keeps its period and its group`(
        field: String, isSold: Bool
    ) async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        if isSold { try await store.buy() }
        let before = try await store.store.control("GET", "\(Fixture.app)/catalog").body
        let answer = await importing(try Self.changed(field), into: store)
        guard isSold else {
            #expect(answer.status == 200)
            return
        }
        #expect(answer.status == 409 && errorCode(answer) == "termsOfSoldProduct")
        let said = String(decoding: answer.body, as: UTF8.self)
        #expect(said.contains(Fixture.silver) && said.contains(field), "\(said)")
        #expect(try await store.store.control("GET", "\(Fixture.app)/catalog").body == before)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(try store.periods().last == "silver 2026-05-01 2026-06-01 9990 renewal")
    }

    @Test func `a delayed change counts as sold while the old terms can still be bought`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let set = try await store.store.control(
            "PUT", "/control/v1/shop", body: ShopBody(newProducts: nil, delayMilliseconds: 60_000))
        #expect(set.status == 200)
        let answer = await importing(
            try Self.changed("recurringSubscriptionPeriod"), into: store)
        #expect(answer.status == 409 && errorCode(answer) == "termsOfSoldProduct")
    }

    @Test func `a renewal uses the prices that devices see, not those still pending`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await store.buy()
        try await store.advance(to: "2026-04-30T12:00:00Z")
        try await store.store.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: nil, delayMilliseconds: 2 * Timestamp.dayMilliseconds)
        ).expectStatus(200)
        try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.silver)/price", body: PriceBody(price: "7.99")
        ).expectStatus(200)
        try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.bronze)/state",
            body: SaleStateBody(state: .removedFromSale, reason: nil, note: nil)
        ).expectStatus(200)
        // Silver renews at its old price before devices see the new one, and at that afterwards.
        try await store.advance(to: "2026-06-02T00:00:00Z")
        #expect(
            try store.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-05-01 2026-06-01 9990 renewal",
                "silver 2026-06-01 2026-07-01 7990 renewal",
            ])
    }

    @Test func `a forced renewal forgets a price increase without consent`()
        async throws
    {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        try await store.change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "12.99", needsConsent: true))
        try await store.advance(to: "2026-04-16T00:00:00Z")
        try await store.change(id, "renew")
        try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.silver)/price", body: PriceBody(price: "4.99")
        ).expectStatus(200)
        #expect(try await store.show(id).renewalPriceMilliunits == 4_990)
        try await store.advance(to: "2026-05-17T00:00:00Z")
        #expect(try store.periods().last == "silver 2026-05-16 2026-06-16 4990 renewal")
    }

    @Test func `a subscription shows the price of the product it renews as`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let id = try await store.buy().transactionId
        func next() async throws -> [String?] {
            let shown = try await store.show(id)
            return [
                shown.autoRenewProductId, shown.renewalPriceMilliunits.map { "\($0)" },
                shown.renewalCurrency,
            ]
        }
        #expect(try await next() == [Fixture.silver, "9990", "USD"])
        try await store.change(
            id, "choose", body: ChooseSubscriptionBody(productId: Fixture.bronze))
        #expect(try await next() == [Fixture.bronze, "4990", "USD"])
        let price = try await store.store.control(
            "PUT", "\(Fixture.app)/products/\(Fixture.bronze)/price", body: PriceBody(price: "5.49")
        )
        #expect(price.status == 200)
        #expect(try await next() == [Fixture.bronze, "5490", "USD"])
        #expect(try await store.show(id).priceMilliunits == 9_990)
        try await store.advance(to: "2026-05-02T00:00:00Z")
        #expect(try store.periods().last == "bronze 2026-05-01 2026-06-01 5490 renewal")
        try await store.change(
            id, "price-increase",
            body: IncreaseSubscriptionPriceBody(price: "6.99", needsConsent: false))
        #expect(try await next() == [Fixture.bronze, "6990", "USD"])
        try await store.change(id, "cancel")
        #expect(try await next() == [nil, nil, nil])
    }
}
