import Testing

@testable import AppStoreServer

/// First periods for less, with the money of a real account.
struct IntroductoryStoryTests {
    private typealias Fixture = SubscriptionFixture

    private static let threeMonths = """
        { "internalID" : "1", "numberOfPeriods" : 3, "paymentMode" : "payAsYouGo",
          "displayPrice" : "0.99", "subscriptionPeriod" : "P1M" }
        """
    private static let quarter = """
        { "internalID" : "1", "numberOfPeriods" : 1, "paymentMode" : "payUpFront",
          "displayPrice" : "4.99", "subscriptionPeriod" : "P3M" }
        """

    @Test func `a story of three discounted months, each paid by itself`() async throws {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", trial: Self.threeMonths, in: .production)
        var story = Story(shop)
        try await shop.store.topUp("20")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try await story.advance(to: "2026-07-01T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 0.99, introductory payAsYouGo
                  topUp 20, 20 left
                  charge -0.99 of #1, 19.01 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                  answers 0, latest #1
                  pending #1 silver, on
                2026-05-01
                  renewed #2
                  sold #2 silver for 0.99, renewal, introductory payAsYouGo
                  charge -0.99 of #2, 18.02 left
                  receipt of 2026-05-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                    #2 of #1 silver 2026-05-01 to 2026-06-01, introductory
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-06-01
                  renewed #3
                  sold #3 silver for 0.99, renewal, introductory payAsYouGo
                  charge -0.99 of #3, 17.03 left
                  receipt of 2026-06-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                    #2 of #1 silver 2026-05-01 to 2026-06-01, introductory
                    #3 of #1 silver 2026-06-01 to 2026-07-01, introductory
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                2026-07-01
                  renewed #4
                  sold #4 silver for 9.99, renewal
                  charge -9.99 of #4, 7.04 left
                  receipt of 2026-07-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                    #2 of #1 silver 2026-05-01 to 2026-06-01, introductory
                    #3 of #1 silver 2026-06-01 to 2026-07-01, introductory
                    #4 of #1 silver 2026-07-01 to 2026-08-01
                  answers 0, latest #4, #3, #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of three months paid at once as one period, then single months`()
        async throws
    {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", trial: Self.quarter, in: .production)
        var story = Story(shop)
        try await shop.store.topUp("15")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.advance(to: "2026-07-01T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 4.99, introductory payUpFront
                  topUp 15, 15 left
                  charge -4.99 of #1, 10.01 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-07-01, introductory
                  answers 0, latest #1
                  pending #1 silver, on
                2026-05-01
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on
                2026-07-01
                  renewed #2
                  sold #2 silver for 9.99, renewal
                  charge -9.99 of #2, 0.02 left
                  receipt of 2026-07-01
                    #1 of #1 silver 2026-04-01 to 2026-07-01, introductory
                    #2 of #1 silver 2026-07-01 to 2026-08-01
                  answers 0, latest #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of an upgrade that refunds the price paid, not the regular price`()
        async throws
    {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", trial: Self.quarter, in: .production)
        var story = Story(shop)
        try await shop.store.topUp("30")
        try await shop.buy()
        try await shop.advance(to: "2026-05-16T12:00:00Z")
        try await shop.buy(Fixture.gold)
        try await story.tell("silver was bought on 1 April, and gold now")
        try await story.advance(to: "2026-06-16T12:00:00Z")
        try story.ends(
            as: """
                2026-05-16 12:00, silver was bought on 1 April, and gold now
                  purchased #1
                  replaced #1
                  purchased #2
                  sold #1 silver for 4.99, introductory payUpFront
                  sold #2 gold for 19.99
                // Half of the 91 days is left, and half of 4.99.
                  back 2.5 of #1
                  topUp 30, 30 left
                  charge -4.99 of #1, 25.01 left
                  refund 2.5 of #1, 27.51 left
                  charge -19.99 of #2, 7.52 left
                  receipt of 2026-05-16 12:00
                    #1 of #1 silver 2026-04-01 to 2026-07-01, introductory, \
                cancelled 2026-05-16 12:00
                    #2 of #1 gold 2026-05-16 12:00 to 2026-06-16 12:00
                  answers 0, latest #2, #1 upgraded
                  pending #1 gold, on
                2026-06-16 12:00
                  renewalFailed #2
                  receipt as before
                  answers 0, latest #2, #1 upgraded
                  pending #1 gold, on, intent 2, retrying
                """)
    }

    @Test func `a story of an upgrade from a trial without a refund or an offer`() async throws {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z", trial: Fixture.freeWeek, in: .production)
        var story = Story(shop)
        try await shop.store.topUp("25")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await shop.advance(to: "2026-04-04T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await story.tell("gold is bought")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 0, introductory freeTrial
                  topUp 25, 25 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-04-08, trial
                  answers 0, latest #1
                  pending #1 silver, on
                2026-04-04, gold is bought
                  replaced #1
                  purchased #2
                  sold #2 gold for 19.99
                  charge -19.99 of #2, 5.01 left
                  receipt of 2026-04-04
                    #1 of #1 silver 2026-04-01 to 2026-04-08, trial, cancelled 2026-04-04
                    #2 of #1 gold 2026-04-04 to 2026-05-04
                  answers 0, latest #2, #1 upgraded
                  pending #1 gold, on
                """)
    }
}
