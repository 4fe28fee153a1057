import Testing

@testable import AppStoreServer

/// The sandbox, where a month is five minutes.
struct SandboxPaceStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of twelve sandbox renewals in an hour, an end and a new beginning`()
        async throws
    {
        let shop = try await Fixture(pace: .sandboxFiveMinutes)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.advance(to: "2026-01-31T10:05:00Z")
        try await story.advance(to: "2026-01-31T11:00:00Z")
        try await story.tellOld(first)
        try await story.advance(to: "2026-01-31T11:05:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-01-31T11:30:00Z")
        try await shop.buy()
        try await story.advance(to: "2026-01-31T11:35:00Z", "silver was bought again at 11:30")
        try story.ends(as: Self.twelve)
    }

    private static let hour = """
            #1 of #1 silver 2026-01-31 10:00 to 2026-01-31 10:05
            #2 of #1 silver 2026-01-31 10:05 to 2026-01-31 10:10
            #3 of #1 silver 2026-01-31 10:10 to 2026-01-31 10:15
            #4 of #1 silver 2026-01-31 10:15 to 2026-01-31 10:20
            #5 of #1 silver 2026-01-31 10:20 to 2026-01-31 10:25
            #6 of #1 silver 2026-01-31 10:25 to 2026-01-31 10:30
            #7 of #1 silver 2026-01-31 10:30 to 2026-01-31 10:35
            #8 of #1 silver 2026-01-31 10:35 to 2026-01-31 10:40
            #9 of #1 silver 2026-01-31 10:40 to 2026-01-31 10:45
            #10 of #1 silver 2026-01-31 10:45 to 2026-01-31 10:50
            #11 of #1 silver 2026-01-31 10:50 to 2026-01-31 10:55
            #12 of #1 silver 2026-01-31 10:55 to 2026-01-31 11:00
            #13 of #1 silver 2026-01-31 11:00 to 2026-01-31 11:05
        """
    private static let newestFirst = "#13, #12, #11, #10, #9, #8, #7, #6, #5, #4, #3, #2, #1"
    private static let twelve = """
        2026-01-31 10:00, silver is bought
          purchased #1
          sold #1 silver for 9.99
          receipt of 2026-01-31 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-01-31 10:05
          answers 0, latest #1
          pending #1 silver, on
        2026-01-31 10:05
          renewed #2
          sold #2 silver for 9.99, renewal
          receipt of 2026-01-31 10:05
            #1 of #1 silver 2026-01-31 10:00 to 2026-01-31 10:05
            #2 of #1 silver 2026-01-31 10:05 to 2026-01-31 10:10
          answers 0, latest #2, #1
          pending #1 silver, on
        2026-01-31 11:00
          renewed #3
          renewed #4
          renewed #5
          renewed #6
          renewed #7
          renewed #8
          renewed #9
          renewed #10
          renewed #11
          renewed #12
          renewed #13
          sold #3 silver for 9.99, renewal
          sold #4 silver for 9.99, renewal
          sold #5 silver for 9.99, renewal
          sold #6 silver for 9.99, renewal
          sold #7 silver for 9.99, renewal
          sold #8 silver for 9.99, renewal
          sold #9 silver for 9.99, renewal
          sold #10 silver for 9.99, renewal
          sold #11 silver for 9.99, renewal
          sold #12 silver for 9.99, renewal
          sold #13 silver for 9.99, renewal
          receipt of 2026-01-31 11:00
        \(hour)
          answers 0, latest \(newestFirst)
        // Nothing tells that this was the last of twelve renewals.
          pending #1 silver, on
          iOS 6 #1 to 2026-01-31 10:05: 0, newest #13 to 2026-01-31 11:05, silver on
        2026-01-31 11:05
          expired #13 1
          receipt as before
          answers 0, latest \(newestFirst)
          pending #1 silver, off, intent 1, not retrying
          iOS 6 #1 to 2026-01-31 10:05: 21006, ended #13 to 2026-01-31 11:05, \
        silver off, intent 1, not retrying
        2026-01-31 11:35, silver was bought again at 11:30
          purchased #14
        // It is counted anew.
          renewed #15
          sold #14 silver for 9.99
          sold #15 silver for 9.99, renewal
          receipt of 2026-01-31 11:35
        \(hour)
            #14 of #1 silver 2026-01-31 11:30 to 2026-01-31 11:35
            #15 of #1 silver 2026-01-31 11:35 to 2026-01-31 11:40
          answers 0, latest #15, #14, \(newestFirst)
          pending #1 silver, on
        """

    @Test func `a story of a sandbox week of three minutes and ten minutes of payment retries`()
        async throws
    {
        let shop = try await Fixture(pace: .sandboxFiveMinutes, trial: Fixture.freeWeek)
        try await shop.serve(graceDays: 16)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.advance(to: "2026-01-31T10:03:00Z", "silver was bought at 10:00")
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-01-31T10:08:00Z")
        try await story.tellOld(first)
        try await story.advance(to: "2026-01-31T10:10:30Z")
        try await story.tellOld(first)
        try await story.advance(to: "2026-01-31T10:18:00Z")
        try story.ends(
            as: """
                2026-01-31 10:03, silver was bought at 10:00
                  purchased #1
                  renewed #2
                  sold #1 silver for 0, introductory freeTrial
                  sold #2 silver for 9.99, renewal
                  receipt of 2026-01-31 10:03
                    #1 of #1 silver 2026-01-31 10:00 to 2026-01-31 10:03, trial
                    #2 of #1 silver 2026-01-31 10:03 to 2026-01-31 10:08
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-01-31 10:08
                  renewalFailed #2 until 2026-01-31
                  receipt as before
                  answers 0, latest #2, #1
                // Half a month of grace, whatever its days are set to.
                  pending #1 silver, on, intent 2, retrying, grace to 2026-01-31 10:10:30
                  iOS 6 #1 to 2026-01-31 10:03: 0, newest #2 to 2026-01-31 10:08, \
                silver on, intent 2, retrying
                2026-01-31 10:10:30
                  gracePeriodEnded #2
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, on, intent 2, retrying
                  iOS 6 #1 to 2026-01-31 10:03: 21006, ended #2 to 2026-01-31 10:08, \
                silver on, intent 2, retrying
                2026-01-31 10:18
                // Two months after the payment failed.
                  expired #2 2
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 2, not retrying
                """)
    }
}
