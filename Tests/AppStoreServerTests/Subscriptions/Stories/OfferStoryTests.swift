import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Every other kind of offer, one after the other, to the same person.
struct OfferStoryTests {
    private typealias F = OfferSaleFixture

    @Test func `a story of a promotional offer, an offer code and a win-back offer`() async throws {
        let sale = try await F()
        let shop = sale.fixture
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await shop.advance(to: "2026-04-10T00:00:00Z")
        #expect(try await sale.attempt(try sale.discount()).state == .done)
        try await story.tell("its offer \"spring\" is bought, two months for 0.99 each")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try await shop.change(first, "cancel")
        try await story.advance(to: "2026-07-01T00:00:00Z", "renewal was turned off")
        try await shop.advance(to: "2026-07-10T00:00:00Z")
        try await redeem("SPRING26", sale)
        try await story.tell("a code is redeemed, for a month")
        try await story.tellOld(first)
        try await story.advance(to: "2026-08-10T00:00:00Z")
        try await shop.change(first, "cancel")
        try await story.advance(to: "2026-09-10T00:00:00Z", "renewal was turned off")
        try await shop.advance(to: "2026-10-01T00:00:00Z")
        try await shop.change(first, "win-back", body: TakeWinBackBody(offerId: F.back))
        try await story.tell("\"come-back\" wins back")
        try await story.advance(to: "2026-11-01T00:00:00Z")
        try story.ends(as: Self.three)
    }

    private func redeem(_ word: String, _ sale: OfferSaleFixture) async throws {
        try await sale.store.control(
            "POST", F.codes,
            body: MakeOfferCodeBody(offerId: F.fair, word: word, redemptionsMax: 1)
        ).expectStatus(201)
        let answer = await sale.store.send(
            "POST", "/sandbox/device/v1/offer-codes/redeem", token: sale.fixture.token,
            body: try WireJSON.encode(RedeemOfferCodeBody(attemptId: UUID().uuidString, code: word))
        )
        answer.expectStatus(200)
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        #expect(body.state == .done)
    }

    private static let three = """
        2026-04-01, silver is bought
          purchased #1
          sold #1 silver for 9.99
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
        2026-04-10, its offer "spring" is bought, two months for 0.99 each
        // Who has the product already has the offer from the renewal on.
          renewalChanged #1 silver
          receipt as before
          answers 0, latest #1
          pending #1 silver, on, offer spring
        2026-05-01
          renewed #2
          sold #2 silver for 0.99, renewal, promotional spring payAsYouGo
          receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
          answers 0, latest #2, #1
          pending #1 silver, on, offer spring
        2026-06-01
          renewed #3
          sold #3 silver for 0.99, renewal, promotional spring payAsYouGo
          receipt of 2026-06-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
            #3 of #1 silver 2026-06-01 to 2026-07-01, offer spring
          answers 0, latest #3, #2, #1
          pending #1 silver, on
        2026-07-01, renewal was turned off
          renewalChanged #3
          expired #3 1
          receipt as before
          answers 0, latest #3, #2, #1
          pending #1 silver, off, intent 1, not retrying
        2026-07-10, a code is redeemed, for a month
          purchased #4
        // For nothing, and no trial: that is of introductory offers only.
          sold #4 silver for 0, code Spring fair freeTrial
          receipt of 2026-07-10
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
            #3 of #1 silver 2026-06-01 to 2026-07-01, offer spring
            #4 of #1 silver 2026-07-10 to 2026-08-10
          answers 0, latest #4 by Spring fair, #3, #2, #1
          pending #1 silver, on
          iOS 6 #1 to 2026-05-01: 0, newest #4 to 2026-08-10, silver on
        2026-08-10
          renewed #5
          sold #5 silver for 9.99, renewal
          receipt of 2026-08-10
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
            #3 of #1 silver 2026-06-01 to 2026-07-01, offer spring
            #4 of #1 silver 2026-07-10 to 2026-08-10
            #5 of #1 silver 2026-08-10 to 2026-09-10
          answers 0, latest #5, #4 by Spring fair, #3, #2, #1
          pending #1 silver, on
        2026-09-10, renewal was turned off
          renewalChanged #5
          expired #5 1
          receipt as before
          answers 0, latest #5, #4 by Spring fair, #3, #2, #1
          pending #1 silver, off, intent 1, not retrying
        2026-10-01, "come-back" wins back
          purchased #6
          sold #6 silver for 2.99, winBack come-back payAsYouGo
          receipt of 2026-10-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
            #3 of #1 silver 2026-06-01 to 2026-07-01, offer spring
            #4 of #1 silver 2026-07-10 to 2026-08-10
            #5 of #1 silver 2026-08-10 to 2026-09-10
            #6 of #1 silver 2026-10-01 to 2026-11-01, offer come-back
          answers 0, latest #6, #5, #4 by Spring fair, #3, #2, #1
          pending #1 silver, on
        2026-11-01
          renewed #7
          sold #7 silver for 9.99, renewal
          receipt of 2026-11-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01, offer spring
            #3 of #1 silver 2026-06-01 to 2026-07-01, offer spring
            #4 of #1 silver 2026-07-10 to 2026-08-10
            #5 of #1 silver 2026-08-10 to 2026-09-10
            #6 of #1 silver 2026-10-01 to 2026-11-01, offer come-back
            #7 of #1 silver 2026-11-01 to 2026-12-01
          answers 0, latest #7, #6, #5, #4 by Spring fair, #3, #2, #1
          pending #1 silver, on
        """
}
