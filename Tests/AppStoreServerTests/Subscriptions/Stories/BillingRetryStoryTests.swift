import Testing

@testable import AppStoreServer

/// Payments that fail: days of grace, tries, recovery, and the end after sixty days.
struct BillingRetryStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of a renewal paid within the grace period once and after it the next time`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await shop.serve(graceDays: 16)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-05-01T00:00:00Z", "its payment fails")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-05-06T00:00:00Z")
        try await shop.change(first, "recover")
        try await story.tell("it is paid in the days of grace")
        try await story.tellOld(first)
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try await story.advance(to: "2026-06-17T00:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-06-25T00:00:00Z")
        try await shop.change(first, "recover")
        try await story.tell("it is paid after them")
        try await story.tellOld(first)
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 9.99
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on
                2026-05-01, its payment fails
                  renewalFailed #1 until 2026-05-17
                // The app's receipt says nothing of it; only the answer does.
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying, grace to 2026-05-17
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on, intent 2, retrying
                2026-05-06, it is paid in the days of grace
                  renewed #2
                  sold #2 silver for 9.99, renewal
                  receipt of 2026-05-06
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                // The five days that were served are part of the period.
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                  answers 0, latest #2, #1
                  pending #1 silver, on
                  iOS 6 #1 to 2026-05-01: 0, newest #2 to 2026-06-01, silver on
                2026-06-01
                  renewalFailed #2 until 2026-06-17
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, on, intent 2, retrying, grace to 2026-06-17
                2026-06-17
                  gracePeriodEnded #2
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, on, intent 2, retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #2 to 2026-06-01, \
                silver on, intent 2, retrying
                2026-06-25, it is paid after them
                  renewed #3
                  sold #3 silver for 9.99, renewal
                  receipt of 2026-06-25
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                    #3 of #1 silver 2026-06-25 to 2026-07-25
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                  iOS 6 #1 to 2026-05-01: 0, newest #3 to 2026-07-25, silver on
                """)
    }

    @Test func `a story of a subscription ending unpaid after 60 days, then turned off in grace`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await shop.serve(graceDays: 3)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-05-01T00:00:00Z", "silver was bought in April")
        try await story.advance(to: "2026-05-04T00:00:00Z")
        try await story.advance(to: "2026-06-29T00:00:00Z")
        try await story.advance(to: "2026-06-30T00:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-07-10T00:00:00Z")
        try await shop.buy()
        try await story.tell("silver is bought again")
        try await story.advance(to: "2026-08-10T00:00:00Z")
        try await shop.advance(to: "2026-08-12T00:00:00Z")
        try await shop.change(first, "cancel")
        try await story.tell("renewal is turned off")
        try await story.tellOld(first)
        try await story.advance(to: "2026-08-13T00:00:00Z")
        try await story.tellOld(first)
        try story.ends(as: Self.neverPaid)
    }

    private static let neverPaid = """
        2026-05-01, silver was bought in April
          purchased #1
          renewalFailed #1 until 2026-05-04
          sold #1 silver for 9.99
        // It came with the purchase, and nothing has changed in it since.
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on, intent 2, retrying, grace to 2026-05-04
        2026-05-04
          gracePeriodEnded #1
          receipt as before
          answers 0, latest #1
          pending #1 silver, on, intent 2, retrying
        2026-06-29
          receipt as before
          answers 0, latest #1
          pending #1 silver, on, intent 2, retrying
        2026-06-30
        // Sixty days after 1 May.
          expired #1 2
          receipt as before
          answers 0, latest #1
          pending #1 silver, off, intent 2, not retrying
          iOS 6 #1 to 2026-05-01: 21006, ended #1 to 2026-05-01, silver off, intent 2, not retrying
        2026-07-10, silver is bought again
          purchased #2
        // What is bought by hand is paid; renewals still fail.
          sold #2 silver for 9.99
          receipt of 2026-07-10
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-07-10 to 2026-08-10
          answers 0, latest #2, #1
          pending #1 silver, on
        2026-08-10
          renewalFailed #2 until 2026-08-13
          receipt as before
          answers 0, latest #2, #1
          pending #1 silver, on, intent 2, retrying, grace to 2026-08-13
        2026-08-12, renewal is turned off
          renewalChanged #2
          receipt as before
          answers 0, latest #2, #1
        // The days of grace were promised, and nothing is tried any more.
          pending #1 silver, off, intent 1, not retrying, grace to 2026-08-13
          iOS 6 #1 to 2026-05-01: 0, newest #2 to 2026-08-10, silver off, intent 1, not retrying
        2026-08-13
          expired #2 1
          receipt as before
          answers 0, latest #2, #1
          pending #1 silver, off, intent 1, not retrying
          iOS 6 #1 to 2026-05-01: 21006, ended #2 to 2026-08-10, silver off, intent 1, not retrying
        """

    @Test func `a story of credit that runs out, is topped up and runs out for good`() async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        var story = Story(shop)
        try await shop.store.topUp("25")
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.advance(to: "2026-06-01T00:00:00Z", "the credit does not pay it")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-06-10T00:00:00Z")
        try await shop.store.topUp("10")
        try await story.advance(to: "2026-06-10T00:01:00Z", "10 were paid in")
        try await story.tellOld(first)
        try await story.advance(to: "2026-07-10T00:00:00Z")
        try await story.advance(to: "2026-09-08T00:00:00Z", "nothing was paid in")
        try await story.tellOld(first)
        try story.ends(as: Self.runsOut)
    }

    private static let runsOut = """
        2026-04-01, silver is bought
          purchased #1
          sold #1 silver for 9.99
          topUp 25, 25 left
          charge -9.99 of #1, 15.01 left
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
        2026-05-01
          renewed #2
          sold #2 silver for 9.99, renewal
          charge -9.99 of #2, 5.02 left
          receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #2, #1
          pending #1 silver, on
        2026-06-01, the credit does not pay it
          renewalFailed #2
          receipt as before
          answers 0, latest #2, #1
        // This app serves nobody who did not pay.
          pending #1 silver, on, intent 2, retrying
          iOS 6 #1 to 2026-05-01: 21006, ended #2 to 2026-06-01, silver on, intent 2, retrying
        2026-06-10 00:01, 10 were paid in
          renewed #3
          sold #3 silver for 9.99, renewal
          topUp 10, 15.02 left
          charge -9.99 of #3, 5.03 left
          receipt of 2026-06-10 00:01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01
        // From the moment on at which the money was there.
            #3 of #1 silver 2026-06-10 to 2026-07-10
          answers 0, latest #3, #2, #1
          pending #1 silver, on
          iOS 6 #1 to 2026-05-01: 0, newest #3 to 2026-07-10, silver on
        2026-07-10
          renewalFailed #3
          receipt as before
          answers 0, latest #3, #2, #1
          pending #1 silver, on, intent 2, retrying
        2026-09-08, nothing was paid in
        // Sixty days after 10 July.
          expired #3 2
          receipt as before
          answers 0, latest #3, #2, #1
          pending #1 silver, off, intent 2, not retrying
          iOS 6 #1 to 2026-05-01: 21006, ended #3 to 2026-07-10, silver off, intent 2, not retrying
        """
}
