import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Offers that win back who left.
struct WinBackTests {
    private typealias F = OfferSaleFixture

    private func take(
        _ sale: OfferSaleFixture, _ original: String, offer: String = OfferSaleFixture.back
    ) async throws -> HTTPResponse {
        try await sale.store.control(
            "POST", "/control/v1/subscriptions/\(original)/win-back",
            body: TakeWinBackBody(offerId: offer))
    }

    private func listed(
        _ sale: OfferSaleFixture, _ original: String, golden: String? = nil
    ) async throws -> [String?] {
        let answer = try await sale.store.control(
            "GET", "/control/v1/subscriptions/\(original)/win-backs")
        answer.expectStatus(200)
        if let golden { try Golden.check(answer.body, golden) }
        return try WireJSON.decode(WinBacksBody.self, from: answer.body).offers.map(\.offerId)
    }

    @Test func `a former subscriber gets the win-back offer's price once`() async throws {
        let sale = try await F()
        let bought = try await sale.fixture.buy()
        #expect(try await listed(sale, bought.transactionId).isEmpty, "who subscribes gets none")
        let early = try await take(sale, bought.transactionId)
        #expect(early.status == 409 && errorCode(early) == "offerRefused")
        try await sale.fixture.change(bought.transactionId, "cancel")
        try await sale.fixture.advance(to: "2026-06-01T00:00:00Z")
        #expect(
            try await listed(sale, bought.transactionId, golden: "control-win-backs.json")
                == [F.back])
        let taken = try await take(sale, bought.transactionId)
        taken.expectStatus(200)
        let shown = try WireJSON.decode(SubscriptionBody.self, from: taken.body)
        #expect(shown.state == .active && shown.offer?.kind == .winBack)
        let again = try await take(sale, bought.transactionId)
        #expect(again.status == 409 && errorCode(again) == "offerRefused")
        #expect(try await sale.latest().purchase["promotional_offer_id"]?.string == F.back)
        try await sale.fixture.advance(to: "2026-07-02T00:00:00Z")
        #expect(
            try sale.fixture.periods() == [
                "silver 2026-04-01 2026-05-01 9990", "silver 2026-06-01 2026-07-01 2990",
                "silver 2026-07-01 2026-08-01 9990 renewal",
            ])
        let list = await sale.store.send(
            "GET", "/sandbox/device/v1/transactions", token: sale.fixture.token)
        let open = try WireJSON.decode(UnfinishedBody.self, from: list.body).transactions
        #expect(open.contains { $0.attemptId == "win-back/\(bought.transactionId)" })
    }

    @Test func `a win-back with an unknown offer or subscription is refused`() async throws {
        let sale = try await F()
        let bought = try await sale.lapse()
        for offer in ["none", F.spring, F.fair] {
            let answer = try await take(sale, bought.transactionId, offer: offer)
            #expect(answer.status == 409 && errorCode(answer) == "offerRefused", "\(offer)")
        }
        #expect(errorCode(try await take(sale, "5")) == "subscriptionUnknown")
        #expect(try sale.fixture.periods().count == 1)
        #expect(try sale.count("attempt") == 1, "what is refused leaves nothing")
    }
}
