import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Answers of `verifyReceipt` about periods with offers, beside those in `OfferSaleTests` and
/// `RedemptionTests`. The old style tells nothing of an offer.
struct OfferGoldenTests {
    private typealias F = OfferSaleFixture

    private func checkOld(_ id: String, of sale: OfferSaleFixture, _ name: String) async throws {
        let own = try await sale.fixture.transactionReceipt(of: id)
        let old = try await sale.fixture.verify(own)
        #expect(old["status"]?.integer == 0)
        try Golden.check(old.plain.xcodeBytes, "verify-old-subscription-\(name).json")
    }

    @Test func `a receipt of a promotional offer in the old style matches its golden file`()
        async throws
    {
        let sale = try await F()
        _ = try await sale.lapse()
        let bought = try await sale.attempt(try sale.discount(), shown: 990)
        let id = try #require(bought.transaction).transactionId
        try await checkOld(id, of: sale, "promotional")
    }

    @Test func `a receipt of an offer code in the old style matches its golden file`() async throws
    {
        let sale = try await F()
        try await sale.store.control(
            "POST", F.codes,
            body: MakeOfferCodeBody(
                offerId: F.fair, word: "SPRING", redemptionsMax: 9, expiresAt: nil)
        ).expectStatus(201)
        let taken = try await sale.store.control(
            "POST", "\(SubscriptionFixture.app)/offer-codes/redeem",
            body: RedeemForAccountBody(name: "buyer", code: "spring"))
        taken.expectStatus(200)
        let body = try WireJSON.decode(TakenOfferBody.self, from: taken.body)
        try await checkOld(try #require(body.transactionId), of: sale, "code")
    }

    @Test func `receipts of a win-back offer in both styles match their golden files`() async throws
    {
        let sale = try await F()
        let left = try await sale.lapse()
        let taken = try await sale.store.control(
            "POST", "/control/v1/subscriptions/\(left.transactionId)/win-back",
            body: TakeWinBackBody(offerId: F.back))
        taken.expectStatus(200)
        let shown = try WireJSON.decode(SubscriptionBody.self, from: taken.body)
        let whole = try await sale.latest().whole
        try Golden.check(whole.plain.xcodeBytes, "verify-subscription-win-back.json")
        try await checkOld(shown.transactionId, of: sale, "win-back")
    }
}
