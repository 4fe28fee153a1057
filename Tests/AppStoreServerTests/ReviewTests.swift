import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

struct ReviewTests {
    private let shop: ShopFixture
    private var store: TestStore { shop.store }

    init() throws {
        shop = try ShopFixture()
    }

    private func wait() async throws {
        let answer = try await store.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: .waitForReview, delayMilliseconds: nil))
        #expect(answer.status == 200)
    }

    @Test func `an import approves new products unless the shop requires a review`() async throws {
        _ = await shop.importFile(Samples.catalogue(fuelPrice: "0.99", withTurbo: false))
        try await wait()
        _ = await shop.importFile(Samples.catalogue(fuelPrice: "1.29"))
        #expect(try await shop.listed(Samples.fuel)?.state == .clearedForSale)
        #expect(try await shop.listed(Samples.turbo)?.state == .pendingApproval)
    }

    @Test func `a product waits, is rejected, resubmitted, approved and sold`() async throws {
        try await wait()
        try await store.stock()
        let token = try await store.signIn()
        #expect(try await shop.bought(Samples.fuel, token: token) == "productUnknown")
        let rejected = try await shop.set(
            Samples.fuel, .rejected, .noIntermediaryCurrency, note: "sell the ride")
        #expect(rejected.status == 200)
        let listed = try #require(try await shop.listed(Samples.fuel))
        #expect(listed.state == .rejected && listed.reason == .noIntermediaryCurrency)
        #expect(listed.note == "sell the ride")
        #expect(try await shop.shown(Samples.fuel, token: token) == nil)
        #expect(try await shop.bought(Samples.fuel, token: token) == "productUnknown")
        let early = try await shop.set(Samples.fuel, .clearedForSale)
        #expect(early.status == 409 && errorCode(early) == "stateNotAllowed")
        #expect(try await shop.set(Samples.fuel, .pendingApproval).status == 200)
        #expect(try await shop.set(Samples.fuel, .clearedForSale).status == 200)
        #expect(try await shop.bought(Samples.fuel, token: token) == "990")
        let steps = try await shop.history("?product=\(Samples.fuel)").reviews
        #expect(steps.map(\.step) == [.registered, .rejected, .submitted, .approved])
        #expect(steps.map(\.reason) == [nil, .noIntermediaryCurrency, nil, nil])
        #expect(steps[1].note == "sell the ride")
        #expect(steps.allSatisfy { $0.at == TestStore.start })
    }

    @Test func `a repeated review decision is one entry`() async throws {
        _ = await shop.importFile()
        for _ in 0..<3 {
            let answer = try await shop.set(Samples.fuel, .rejected, .digitalGoodsOnly)
            #expect(answer.status == 200)
        }
        #expect(try await shop.history("?product=\(Samples.fuel)").reviews.count == 2)
    }

    @Test(
        arguments: [
            (.rejected, nil, nil, 422, "reasonMissing"),
            (.rejected, .other, nil, 422, "noteMissing"),
            (.rejected, .other, "", 422, "badField"),
            (.rejected, .other, String(repeating: "n", count: 1_025), 422, "badField"),
            (.rejected, .other, "a\nb", 422, "badField"),
            (.removedFromSale, .other, "n", 422, "reasonNotWanted"),
        ] as [(SaleState, RejectionReason?, String?, Int, String)])
    func `a review decision with too little or too much information changes nothing`(
        state: SaleState, reason: RejectionReason?, note: String?, status: Int, code: String
    ) async throws {
        _ = await shop.importFile()
        let answer = try await shop.set(Samples.fuel, state, reason, note: note)
        #expect(answer.status == status)
        #expect(errorCode(answer) == code)
        #expect(try await shop.listed(Samples.fuel)?.state == .clearedForSale)
        #expect(try await shop.history("?product=\(Samples.fuel)").reviews.count == 1)
    }

    @Test(arguments: [
        #"{}"#, #"{"state":"sold"}"#, #"{"state":"rejected","reason":"dislike"}"#, "[]", "",
        #"{"state":"rejected","reason":"other","note":7}"#,
    ])
    func `a malformed review body is refused`(body: String) async throws {
        _ = await shop.importFile()
        let answer = await store.send(
            "PUT", shop.path(Samples.fuel) + "/state", token: TestStore.controlToken,
            body: Array(body.utf8))
        #expect(answer.status == 400)
        #expect(errorCode(answer) == "badBody")
    }

    @Test func `leaving the catalogue file and coming back does not bypass a review`() async throws
    {
        _ = await shop.importFile()
        _ = try await shop.set(Samples.turbo, .rejected, .digitalGoodsOnly)
        let without = Samples.catalogue(fuelPrice: "0.99", withTurbo: false)
        let dropped = try WireJSON.decode(
            CatalogueImportBody.self, from: await shop.importFile(without).body)
        #expect(dropped.removed == [Samples.turbo])
        #expect(try await shop.listed(Samples.turbo)?.state == .rejected)
        _ = await shop.importFile()
        #expect(try await shop.listed(Samples.turbo)?.state == .rejected)
        #expect(try await shop.listed(Samples.turbo)?.reason == .digitalGoodsOnly)
    }

    @Test func `a deleted product's review history stays`() async throws {
        _ = await shop.importFile()
        _ = await shop.importFile(Samples.catalogue(fuelPrice: "0.99", withTurbo: false))
        #expect(try await shop.listed(Samples.turbo) == nil)
        #expect(try await shop.history("?product=\(Samples.turbo)").reviews.count == 1)
    }

    @Test func `a long review history is paged`() async throws {
        _ = await shop.importFile()
        let states: [SaleState] = [.removedFromSale, .clearedForSale]
        let count = Limits.reviewsPerAnswerMax + 5
        for number in 0..<count { _ = try await shop.set(Samples.fuel, states[number % 2]) }
        let first = try await shop.history("?product=\(Samples.fuel)")
        #expect(first.reviews.count == Limits.reviewsPerAnswerMax)
        let next = try #require(first.next)
        #expect(next == first.reviews.last?.number)
        let second = try await shop.history("?product=\(Samples.fuel)&after=\(next)")
        #expect(second.reviews.count == 6 && second.next == nil)
        let all = try await shop.history("?after=0").reviews
        #expect(all.prefix(4).map(\.step) == Array(repeating: .registered, count: 4))
    }

    @Test func `a review history query with a bad page, product or app is refused`()
        async throws
    {
        _ = await shop.importFile()
        let answer = try await store.control("GET", "\(ShopFixture.app)/reviews?after=x")
        #expect(answer.status == 400 && errorCode(answer) == "badQuery")
        for product in ["", String(repeating: "x", count: Limits.identifierBytesMax + 1)] {
            let refused = try await store.control(
                "GET", "\(ShopFixture.app)/reviews?product=\(product)")
            #expect(refused.status == 422 && errorCode(refused) == "badField")
        }
        let unknown = try await store.control("GET", "/control/v1/apps/absent/reviews")
        #expect(unknown.status == 404 && errorCode(unknown) == "appUnknown")
    }

    @Test func `a review category survives imports and can be removed`() async throws {
        _ = await shop.importFile()
        let path = shop.path(Samples.fuel) + "/category"
        for category in SalesCategory.allCases + [nil] {
            let answer = try await store.control(
                "PUT", path, body: CategoryBody(category: category))
            #expect(answer.status == 200)
            _ = await shop.importFile(Samples.catalogue(fuelPrice: "1.99"))
            let fuel = try await shop.listed(Samples.fuel)
            #expect(fuel?.category == category)
            #expect(fuel?.kind == .consumable && fuel?.state == .clearedForSale)
        }
        let unknown = await store.send(
            "PUT", path, token: TestStore.controlToken, body: Array(#"{"category":"toy"}"#.utf8))
        #expect(unknown.status == 400)
        let absent = try await store.control(
            "PUT", shop.path("absent") + "/category", body: CategoryBody(category: .content))
        #expect(absent.status == 404 && errorCode(absent) == "productUnknown")
    }

    @Test func `a subscription's period and level are stored, listed and sent to devices`()
        async throws
    {
        try await store.stock()
        let club = try #require(try await shop.listed(Samples.club))
        #expect(club.renewalPeriod == .month && club.groupLevel == 1)
        #expect(club.subscriptionGroup == "AAAAAAAA")
        let token = try await store.signIn()
        let shown = try #require(try await shop.shown(Samples.club, token: token))
        #expect(shown.subscriptionPeriod == .month)
        #expect(shown.subscriptionGroupIdentifier == "AAAAAAAA")
        #expect(try await shop.shown(Samples.turbo, token: token)?.subscriptionPeriod == nil)
        let changed = await shop.importFile(
            Samples.catalogue.replacingOccurrences(of: "P1M", with: "P1Y"))
        let body = try WireJSON.decode(CatalogueImportBody.self, from: changed.body)
        #expect(body.changed.map(\.fields) == [["recurringSubscriptionPeriod"]])
        #expect(try await shop.listed(Samples.club)?.renewalPeriod == .year)
    }

    @Test func `a subscription's offers are stored and sent to devices`() async throws {
        try await store.stock()
        let token = try await store.signIn()
        #expect(try await shop.shown(Samples.club, token: token)?.introductoryOffer == nil)
        #expect(try await shop.shown(Samples.club, token: token)?.promotionalOffers == nil)
        let offers = Samples.catalogue
            .replacingOccurrences(
                of: #""introductoryOffer" : null"#,
                with: """
                    "introductoryOffer" : { "paymentMode" : "free", "subscriptionPeriod" : "P1W" }
                    """
            ).replacingOccurrences(
                of: #""adHocOffers" : []"#,
                with: """
                    "adHocOffers" : [ { "displayPrice" : "0.99", "offerID" : "spring",
                    "numberOfPeriods" : 3, "paymentMode" : "payAsYouGo", "referenceName" : "S",
                    "subscriptionPeriod" : "P1M" } ]
                    """)
        let changed = await shop.importFile(offers)
        let body = try WireJSON.decode(CatalogueImportBody.self, from: changed.body)
        #expect(body.changed.map(\.fields) == [["offers"]])
        #expect(!body.keptUnused.contains { $0.hasSuffix("introductoryOffer") })
        let shown = try #require(try await shop.shown(Samples.club, token: token))
        #expect(shown.introductoryOffer?.paymentMode == .freeTrial)
        #expect(shown.introductoryOffer?.period == "P1W")
        let spring = try #require(shown.promotionalOffers?.first)
        #expect(shown.promotionalOffers?.count == 1 && spring.offerId == "spring")
        #expect(spring.priceMilliunits == 990 && spring.numberOfPeriods == 3)
        // On its way for a while, the change is kept whole.
        _ = try await store.control(
            "PUT", "/control/v1/shop",
            body: ShopBody(newProducts: nil, delayMilliseconds: 60_000))
        _ = await shop.importFile(Samples.catalogue)
        #expect(
            try await shop.shown(Samples.club, token: token)?.promotionalOffers?.count == 1)
    }
}
