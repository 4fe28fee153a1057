import Foundation
import StoreWire
import Testing

@testable import AppStoreServer

/// One account on two devices: each has receipts of its own, which say the same.
struct TwoDevicesStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of a purchase by one device, finished by another, in both receipts`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await shop.importCatalogue(FamilyFixture.catalogue())
        let tablet = try await shop.store.signIn(guid: UUID().uuidString)
        var story = Story(shop, people: [("phone", shop.token), ("tablet", tablet)])
        let silver = try await shop.buy().transactionId
        let fuel = try await shop.buy(Samples.fuel).transactionId
        try await story.tell("the phone buys silver and fuel")
        try await shop.advance(to: "2026-04-02T00:00:00Z")
        try await shop.finish(fuel, token: tablet)
        try await story.tell("the tablet finishes the fuel")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.finish(silver)
        let restored = await shop.store.send(
            "POST", "/sandbox/device/v1/restores", token: tablet,
            body: try WireJSON.encode(
                RestoreRequestBody(
                    restoreId: UUID().uuidString, applicationUsername: nil, after: nil)))
        let copies = try WireJSON.decode(RestoreAnswerBody.self, from: restored.body).transactions
        #expect(copies.map(\.originalTransactionId) == [silver])
        try await story.tell("silver is finished, and the tablet restores it")
        _ = try await shop.store.buy(Fixture.gold, token: tablet)
        try await story.tell("the tablet buys gold")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try story.ends(as: Self.phoneAndTablet)
    }

    private static let phoneAndTablet = """
        2026-04-01, the phone buys silver and fuel
          purchased #1
          purchased #2
          sold #1 silver for 9.99
          sold #2 fuel for 2.99
          phone's receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 fuel 2026-04-01
          answers 0, latest #2, #1
          pending #1 silver, on
          tablet's receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 fuel 2026-04-01
          answers 0, latest #2, #1
          pending #1 silver, on
        2026-04-02, the tablet finishes the fuel
          finished #2
          phone's receipt of 2026-04-02
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
          tablet's receipt of 2026-04-02
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
        2026-05-01
          renewed #3
          sold #3 silver for 9.99, renewal
          phone's receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #3, #1
          pending #1 silver, on
          tablet's receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #3, #1
          pending #1 silver, on
        2026-05-01, silver is finished, and the tablet restores it
          finished #1
          restored #1
        // The copy that the restore made is in no receipt.
          phone's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, on
          tablet's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, on
        2026-05-01, the tablet buys gold
          replaced #3
          purchased #4
          sold #4 gold for 19.99
        // Not a moment of May's silver was used.
          back 9.99 of #3
          phone's receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-01
            #4 of #1 gold 2026-05-01 to 2026-06-01
          answers 0, latest #4, #3 upgraded, #1
          pending #1 gold, on
          tablet's receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-01
            #4 of #1 gold 2026-05-01 to 2026-06-01
          answers 0, latest #4, #3 upgraded, #1
          pending #1 gold, on
        2026-06-01
          renewed #5
          sold #5 gold for 19.99, renewal
          phone's receipt of 2026-06-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-01
            #4 of #1 gold 2026-05-01 to 2026-06-01
            #5 of #1 gold 2026-06-01 to 2026-07-01
          answers 0, latest #5, #4, #3 upgraded, #1
          pending #1 gold, on
          tablet's receipt of 2026-06-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #3 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-01
            #4 of #1 gold 2026-05-01 to 2026-06-01
            #5 of #1 gold 2026-06-01 to 2026-07-01
          answers 0, latest #5, #4, #3 upgraded, #1
          pending #1 gold, on
        """
}
