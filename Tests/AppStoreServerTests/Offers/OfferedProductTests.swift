import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// What devices are told of a subscription that they may sell.
struct OfferedProductTests {
    private func product(
        _ id: String, _ shop: SubscriptionFixture, locale: String? = nil
    ) async throws -> ProductBody {
        let answer = await shop.store.send(
            "POST", TestStore.device + "/products", token: shop.token,
            body: try WireJSON.encode(
                ProductsRequestBody(productIdentifiers: [id], locale: locale)))
        let body = try WireJSON.decode(ProductsAnswerBody.self, from: answer.body)
        return try #require(body.products.first)
    }

    private func importing(_ catalogue: String, _ shop: SubscriptionFixture) async {
        await shop.store.send(
            "PUT", "\(SubscriptionFixture.app)/catalog", token: TestStore.controlToken,
            body: Array(catalogue.utf8)
        ).expectStatus(200)
    }

    @Test func `a subscription names its group, its level and its win-back offers`() async throws {
        let sale = try await OfferSaleFixture()
        let silver = try await product(SubscriptionFixture.silver, sale.fixture)
        #expect(silver.internalId == SubscriptionFixture.silver)
        #expect(silver.subscriptionGroupDisplayName == "Fan")
        #expect(silver.subscriptionGroupLevel == 2)
        let offer = try #require(silver.winBackOffers?.first)
        #expect(silver.winBackOffers?.count == 1)
        #expect(offer.offerId == OfferSaleFixture.back)
        #expect(offer.paymentMode == .payAsYouGo && offer.period == "P1M")
        #expect(offer.numberOfPeriods == 1 && offer.priceMilliunits == 2_990)
        let gold = try await product(SubscriptionFixture.gold, sale.fixture)
        #expect(gold.winBackOffers == nil && gold.subscriptionGroupLevel == 1)
    }

    @Test func `the owner sees the offers of all subscriptions, or of one`() async throws {
        let sale = try await OfferSaleFixture()
        func offers(_ query: String = "") async throws -> [CatalogueOfferBody] {
            let answer = try await sale.store.control(
                "GET", "\(SubscriptionFixture.app)/offers\(query)")
            answer.expectStatus(200)
            if query.isEmpty { try Golden.check(answer.body, "control-offers.json") }
            return try WireJSON.decode(CatalogueOffersBody.self, from: answer.body).offers
        }
        let all = try await offers()
        #expect(Set(all.map(\.kind)) == [.promotional, .code, .winBack])
        let silver = try await offers("?product=\(SubscriptionFixture.silver)")
        #expect(silver == all.filter { $0.productId == SubscriptionFixture.silver })
        #expect(silver.count < all.count && !silver.isEmpty)
        for (query, status, code) in [
            ("?product=com.example.no", 404, "productUnknown"), ("?product=", 422, "badField"),
        ] {
            let answer = try await sale.store.control(
                "GET", "\(SubscriptionFixture.app)/offers\(query)")
            #expect(answer.status == status && errorCode(answer) == code)
        }
    }

    @Test func `a group is named in the customer's language, and anew with each catalogue`()
        async throws
    {
        let shop = try await SubscriptionFixture()
        let plain = SubscriptionFixture.catalogue(trial: nil)
        let texts = """
            "localizations" : [
              { "description" : "", "displayName" : "Fans", "locale" : "en_US" },
              { "description" : "", "displayName" : "Anhänger", "locale" : "de_DE" } ],
            "name" : "Fan"
            """
        await importing(
            plain.replacing(#""localizations" : [], "name" : "Fan""#, with: texts), shop)
        for (locale, name) in [(nil, "Fans"), ("de_AT", "Anhänger"), ("fr_FR", "Fans")] {
            let found = try await product(SubscriptionFixture.silver, shop, locale: locale)
            #expect(found.subscriptionGroupDisplayName == name)
        }
        await importing(plain, shop)
        let found = try await product(SubscriptionFixture.silver, shop)
        #expect(found.subscriptionGroupDisplayName == "Fan")
    }

    @Test func `other products have none of that`() async throws {
        let shop = try await SubscriptionFixture()
        await importing(Samples.catalogue, shop)
        let turbo = try await product(Samples.turbo, shop)
        #expect(turbo.internalId == "00000001")
        #expect(turbo.subscriptionGroupDisplayName == nil && turbo.subscriptionGroupLevel == nil)
        #expect(turbo.winBackOffers == nil)
    }

    @Test func `a world of an earlier version names its groups once its catalogue is imported`()
        async throws
    {
        let shop = try await SubscriptionFixture()
        try shop.store.registry.defaultWorld.database.write {
            _ = try $0.execute("DELETE FROM subscription_group")
            _ = try $0.execute("UPDATE product SET internal_id = NULL")
        }
        let before = try await product(SubscriptionFixture.silver, shop)
        #expect(before.subscriptionGroupDisplayName == nil && before.internalId == nil)
        #expect(before.subscriptionGroupLevel == 2)
        await importing(SubscriptionFixture.catalogue(trial: nil), shop)
        let after = try await product(SubscriptionFixture.silver, shop)
        #expect(after.subscriptionGroupDisplayName == "Fan")
        #expect(after.internalId == SubscriptionFixture.silver)
    }
}
