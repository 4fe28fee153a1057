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
    func `a subscription that was sold keeps its period and its group`(
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

    @Test func `while changes take time, it could still be sold as before`() async throws {
        let store = try await Fixture(at: "2026-04-01T00:00:00Z")
        let set = try await store.store.control(
            "PUT", "/control/v1/shop", body: ShopBody(newProducts: nil, delayMilliseconds: 60_000))
        #expect(set.status == 200)
        let answer = await importing(
            try Self.changed("recurringSubscriptionPeriod"), into: store)
        #expect(answer.status == 409 && errorCode(answer) == "termsOfSoldProduct")
    }

    @Test func `what it renews as has its own price`() async throws {
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
