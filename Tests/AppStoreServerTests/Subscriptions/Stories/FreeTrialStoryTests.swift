import Testing

@testable import AppStoreServer

/// Months that end on other days than they began, from a free week to a second beginning.
struct FreeTrialStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of a free week, months from the 31st, an end and a new beginning`()
        async throws
    {
        let shop = try await Fixture(at: "2028-01-24T10:00:00Z", trial: Fixture.freeWeek)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.tellOld(first)
        try await story.advance(to: "2028-01-31T10:00:00Z")
        try await story.advance(to: "2028-02-29T10:00:00Z")
        try await story.advance(to: "2028-03-31T10:00:00Z")
        try await shop.advance(to: "2028-04-10T10:00:00Z")
        try await shop.change(first, "cancel")
        try await story.tell("renewal is turned off")
        try await story.tellOld(first)
        try await story.advance(to: "2028-04-30T10:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2028-06-30T12:00:00Z")
        try await shop.buy()
        try await story.tell("silver is bought again")
        try await story.tellOld(first)
        try await story.advance(to: "2028-07-30T12:00:00Z")
        try story.ends(
            as: """
                2028-01-24 10:00, silver is bought
                  purchased #1
                  sold #1 silver for 0, introductory freeTrial
                  receipt of 2028-01-24 10:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                  answers 0, latest #1
                  pending #1 silver, on
                  iOS 6 #1 to 2028-01-31 10:00: 0, newest #1 to 2028-01-31 10:00, silver on
                2028-01-31 10:00
                  renewed #2
                  sold #2 silver for 9.99, renewal
                  receipt of 2028-01-31 10:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                // Months are counted from the end of the trial.
                    #2 of #1 silver 2028-01-31 10:00 to 2028-02-29 10:00
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2028-02-29 10:00
                  renewed #3
                  sold #3 silver for 9.99, renewal
                  receipt of 2028-02-29 10:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                    #2 of #1 silver 2028-01-31 10:00 to 2028-02-29 10:00
                    #3 of #1 silver 2028-02-29 10:00 to 2028-03-31 10:00
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                2028-03-31 10:00
                  renewed #4
                  sold #4 silver for 9.99, renewal
                  receipt of 2028-03-31 10:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                    #2 of #1 silver 2028-01-31 10:00 to 2028-02-29 10:00
                    #3 of #1 silver 2028-02-29 10:00 to 2028-03-31 10:00
                    #4 of #1 silver 2028-03-31 10:00 to 2028-04-30 10:00
                  answers 0, latest #4, #3, #2, #1
                  pending #1 silver, on
                2028-04-10 10:00, renewal is turned off
                  renewalChanged #4
                  receipt as before
                  answers 0, latest #4, #3, #2, #1
                  pending #1 silver, off
                  iOS 6 #1 to 2028-01-31 10:00: 0, newest #4 to 2028-04-30 10:00, silver off
                2028-04-30 10:00
                  expired #4 1
                  receipt as before
                  answers 0, latest #4, #3, #2, #1
                  pending #1 silver, off, intent 1, not retrying
                  iOS 6 #1 to 2028-01-31 10:00: 21006, ended #4 to 2028-04-30 10:00, \
                silver off, intent 1, not retrying
                2028-06-30 12:00, silver is bought again
                  purchased #5
                // The free week was for the first time only.
                  sold #5 silver for 9.99
                  receipt of 2028-06-30 12:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                    #2 of #1 silver 2028-01-31 10:00 to 2028-02-29 10:00
                    #3 of #1 silver 2028-02-29 10:00 to 2028-03-31 10:00
                    #4 of #1 silver 2028-03-31 10:00 to 2028-04-30 10:00
                    #5 of #1 silver 2028-06-30 12:00 to 2028-07-30 12:00
                  answers 0, latest #5, #4, #3, #2, #1
                  pending #1 silver, on
                // The receipt of the trial verifies once more.
                  iOS 6 #1 to 2028-01-31 10:00: 0, newest #5 to 2028-07-30 12:00, silver on
                2028-07-30 12:00
                  renewed #6
                  sold #6 silver for 9.99, renewal
                  receipt of 2028-07-30 12:00
                    #1 of #1 silver 2028-01-24 10:00 to 2028-01-31 10:00, trial
                    #2 of #1 silver 2028-01-31 10:00 to 2028-02-29 10:00
                    #3 of #1 silver 2028-02-29 10:00 to 2028-03-31 10:00
                    #4 of #1 silver 2028-03-31 10:00 to 2028-04-30 10:00
                    #5 of #1 silver 2028-06-30 12:00 to 2028-07-30 12:00
                    #6 of #1 silver 2028-07-30 12:00 to 2028-08-30 12:00
                  answers 0, latest #6, #5, #4, #3, #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of yearly periods from a leap day that return to it after four`()
        async throws
    {
        let shop = try await Fixture(at: "2028-02-29T00:00:00Z")
        var story = Story(shop)
        try await shop.buy(Fixture.silverYear)
        try await story.tell("a year of silver is bought")
        try await story.advance(to: "2029-02-28T00:00:00Z")
        try await story.advance(to: "2032-03-10T00:00:00Z", "the device asks for its receipt")
        try story.ends(
            as: """
                2028-02-29, a year of silver is bought
                  purchased #1
                  sold #1 silver.year for 99.99
                  receipt of 2028-02-29
                    #1 of #1 silver.year 2028-02-29 to 2029-02-28
                  answers 0, latest #1
                  pending #1 silver.year, on
                2029-02-28
                  renewed #2
                  sold #2 silver.year for 99.99, renewal
                  receipt of 2029-02-28
                    #1 of #1 silver.year 2028-02-29 to 2029-02-28
                    #2 of #1 silver.year 2029-02-28 to 2030-02-28
                  answers 0, latest #2, #1
                  pending #1 silver.year, on
                2032-03-10, the device asks for its receipt
                  renewed #3
                  renewed #4
                  renewed #5
                  sold #3 silver.year for 99.99, renewal
                  sold #4 silver.year for 99.99, renewal
                  sold #5 silver.year for 99.99, renewal
                // Renewals make no receipt; the device's question does.
                  receipt of 2032-03-10
                    #1 of #1 silver.year 2028-02-29 to 2029-02-28
                    #2 of #1 silver.year 2029-02-28 to 2030-02-28
                    #3 of #1 silver.year 2030-02-28 to 2031-02-28
                    #4 of #1 silver.year 2031-02-28 to 2032-02-29
                    #5 of #1 silver.year 2032-02-29 to 2033-02-28
                  answers 0, latest #5, #4, #3, #2, #1
                  pending #1 silver.year, on
                """)
    }

    @Test func `a story of cancelled trials, one resumed by a purchase and one left to end`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", trial: Fixture.freeWeek)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "cancel")
        try await story.tell("silver is bought and turned off")
        try await shop.advance(to: "2026-04-05T00:00:00Z")
        try await shop.buy()
        try await story.tell("silver is bought again")
        try await shop.change(first, "cancel")
        try await story.advance(to: "2026-04-08T00:00:00Z", "it was turned off again")
        try await shop.buy(Fixture.bronze)
        try await story.tell("bronze is bought")
        try story.ends(
            as: """
                2026-04-01, silver is bought and turned off
                  purchased #1
                  renewalChanged #1
                  sold #1 silver for 0, introductory freeTrial
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-04-08, trial
                  answers 0, latest #1
                  pending #1 silver, off
                2026-04-05, silver is bought again
                  renewalChanged #1 silver
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on
                2026-04-08, it was turned off again
                  renewalChanged #1
                  expired #1 1
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, off, intent 1, not retrying
                2026-04-08, bronze is bought
                  purchased #2
                  sold #2 bronze for 4.99
                  receipt of 2026-04-08
                // Another product of the group has the same first purchase as its original.
                    #1 of #1 silver 2026-04-01 to 2026-04-08, trial
                    #2 of #1 bronze 2026-04-08 to 2026-05-08
                  answers 0, latest #2, #1
                  pending #1 bronze, on
                """)
    }
}
