import Foundation
import StoreWire
import Testing

@testable import StoreKit

@Suite struct ProductValueTests {
    static let fuel = """
        {"productId": "fuel", "kind": "consumable", "localizedTitle": "Fuel",
         "localizedDescription": "A full tank", "priceMilliunits": 990, "currency": "USD",
         "priceLocale": "en_US", "isFamilyShareable": false}
        """

    static let club = """
        {"productId": "club", "kind": "autoRenewable", "localizedTitle": "Club",
         "localizedDescription": "All tracks", "priceMilliunits": 4990, "currency": "EUR",
         "priceLocale": "de_DE", "isFamilyShareable": true, "internalId": "6A7B8C9D",
         "subscriptionGroupIdentifier": "21346878", "subscriptionGroupDisplayName": "Der Klub",
         "subscriptionGroupLevel": 2, "subscriptionPeriod": "P1M",
         "introductoryOffer": {"paymentMode": "freeTrial", "period": "P1W",
             "numberOfPeriods": 2, "priceMilliunits": 0},
         "promotionalOffers": [{"offerId": "spring", "paymentMode": "payAsYouGo",
             "period": "P1M", "numberOfPeriods": 3, "priceMilliunits": 1990}],
         "winBackOffers": [{"offerId": "back", "paymentMode": "payUpFront",
             "period": "P1M", "numberOfPeriods": 6, "priceMilliunits": 9990}]}
        """

    static func product(_ json: String) throws -> Product {
        Product(try JSONDecoder().decode(ProductBody.self, from: Data(json.utf8)))
    }

    @Test func `a product has what the store sent of it`() throws {
        let fuel = try Self.product(Self.fuel)
        #expect(fuel.id == "fuel")
        #expect(fuel.type == .consumable)
        #expect(fuel.displayName == "Fuel")
        #expect(fuel.description == "A full tank")
        #expect(fuel.price == Decimal(string: "0.99"))
        #expect(fuel.displayPrice == "$0.99")
        #expect(!fuel.isFamilyShareable)
        #expect(fuel.subscription == nil)
        #expect(fuel.priceFormatStyle.currencyCode == "USD")
        #expect(Decimal(5).formatted(fuel.priceFormatStyle) == "$5.00")
    }

    @Test(arguments: [
        ("consumable", Product.ProductType.consumable), ("nonConsumable", .nonConsumable),
        ("nonRenewing", .nonRenewable), ("autoRenewable", .autoRenewable),
    ])
    func `a product has its kind, and a subscription only if it renews`(
        kind: String, type: Product.ProductType
    ) throws {
        let product = try Self.product(
            Self.club.replacing("\"autoRenewable\"", with: "\"\(kind)\""))
        #expect(product.type == type)
        #expect((product.subscription != nil) == (type == .autoRenewable))
    }

    @Test func `a subscription has its group, its period and its offers`() throws {
        let club = try Self.product(Self.club)
        #expect(club.displayPrice == "4,99\u{A0}€")
        let subscription = try #require(club.subscription)
        #expect(subscription.subscriptionGroupID == "21346878")
        #expect(subscription.groupDisplayName == "Der Klub")
        #expect(subscription.groupLevel == 2)
        #expect(subscription.subscriptionPeriod == .monthly)
        let trial = try #require(subscription.introductoryOffer)
        #expect(trial.id == nil)
        #expect(trial.type == .introductory)
        #expect(trial.paymentMode == .freeTrial)
        #expect(trial.price == 0)
        #expect(trial.displayPrice == "0,00\u{A0}€")
        #expect(trial.period == .everyTwoWeeks, "one payment lasts for both periods")
        #expect(trial.periodCount == 1)
        let spring = try #require(subscription.promotionalOffers.first)
        #expect(spring.id == "spring")
        #expect(spring.type == .promotional)
        #expect(spring.paymentMode == .payAsYouGo)
        #expect(spring.price == Decimal(string: "1.99"))
        #expect(spring.period == .monthly)
        #expect(spring.periodCount == 3)
        let back = try #require(subscription.winBackOffers.first)
        #expect(back.id == "back")
        #expect(back.type == .winBack)
        #expect(back.paymentMode == .payUpFront)
        #expect(back.period == .everySixMonths)
        #expect(back.periodCount == 1)
    }

    @Test func `a subscription is paid in one way, up front`() throws {
        let subscription = try #require(try Self.product(Self.club).subscription)
        let terms = try #require(subscription.pricingTerms.first)
        #expect(subscription.pricingTerms.count == 1)
        #expect(terms.billingPlanType == .upFront)
        #expect(terms.billingPrice == Decimal(string: "4.99"))
        #expect(terms.billingDisplayPrice == "4,99\u{A0}€")
        #expect(terms.billingPeriod == .monthly)
        #expect(terms.commitmentInfo.price == Decimal(string: "4.99"))
        #expect(terms.commitmentInfo.displayPrice == "4,99\u{A0}€")
        #expect(terms.commitmentInfo.period == .monthly)
        #expect(terms.subscriptionOffers.map(\.type) == [.introductory, .promotional, .winBack])
        #expect(terms[offers: .promotional].map(\.id) == ["spring"])
        #expect(terms[offers: .init(rawValue: "other")] == [])
    }

    @Test func `a store that does not send the group's name and level is understood`() throws {
        let json = Self.club.replacing("\"subscriptionGroupDisplayName\": \"Der Klub\",", with: "")
            .replacing("\"subscriptionGroupLevel\": 2,", with: "")
        let subscription = try #require(try Self.product(json).subscription)
        #expect(subscription.groupDisplayName == "")
        #expect(subscription.groupLevel == 1)
    }

    @Test(arguments: [
        (#""period": "P1W""#, #""period": "1 week""#),
        (#""numberOfPeriods": 2"#, #""numberOfPeriods": 0"#),
        (#""numberOfPeriods": 2"#, #""numberOfPeriods": 9223372036854775807"#),
    ])
    func `an offer that makes no sense is left out of the product`(
        before: String, after: String
    ) throws {
        #expect(Self.club.contains(before))
        let product = try Self.product(Self.club.replacing(before, with: after))
        let subscription = try #require(product.subscription)
        #expect(subscription.introductoryOffer == nil)
        #expect(subscription.promotionalOffers.count == 1)
    }

    @Test func `the JSON of a product is what clients of Apple's read in it`() throws {
        let club = try Self.product(Self.club)
        let json = try JSONSerialization.jsonObject(with: club.jsonRepresentation)
        let expected = """
            {"id": "6A7B8C9D", "type": "in-apps", "attributes": {
              "name": "Club", "description": {"standard": "All tracks"}, "offerName": "club",
              "kind": "Auto-Renewable Subscription", "icuLocale": "de_DE",
              "isFamilyShareable": 1, "subscriptionFamilyId": "21346878",
              "subscriptionFamilyName": "Der Klub", "subscriptionFamilyRank": 2,
              "offers": [{"currencyCode": "EUR", "priceString": "4.99",
                "priceFormatted": "4,99\u{A0}€", "recurringSubscriptionPeriod": "P1M",
                "discounts": [
                  {"type": "IntroOffer", "modeType": "FreeTrial", "numOfPeriods": 2,
                   "priceString": "0", "priceFormatted": "0,00\u{A0}€",
                   "recurringSubscriptionPeriod": "P1W"},
                  {"type": "AdhocOffer", "modeType": "PayAsYouGo", "numOfPeriods": 3,
                   "offerId": "spring", "priceString": "1.99",
                   "priceFormatted": "1,99\u{A0}€", "recurringSubscriptionPeriod": "P1M"},
                  {"type": "WinBackOffer", "modeType": "PayUpFront", "numOfPeriods": 6,
                   "offerId": "back", "priceString": "9.99",
                   "priceFormatted": "9,99\u{A0}€", "recurringSubscriptionPeriod": "P1M"}]}]}}
            """
        let known = try JSONSerialization.jsonObject(with: Data(expected.utf8))
        #expect(json as? NSDictionary == known as? NSDictionary)
    }

    @Test func `products are equal when the store sent the same of both`() throws {
        let fuel = try Self.product(Self.fuel)
        let dearer = try Self.product(Self.fuel.replacing("990", with: "1990"))
        #expect(try fuel == Self.product(Self.fuel))
        #expect(fuel != dearer)
        #expect(Set([fuel, dearer, fuel]).count == 2)
    }
}
