import StoreWire
import Testing

@testable import AppStoreServer

/// Two things that happen to one subscription at the same time.
struct CrossingStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of a downgrade surviving a failed payment and an extension from the 31st`()
        async throws
    {
        let shop = try await Fixture(at: "2026-01-31T00:00:00Z")
        try await shop.serve(graceDays: 16)
        var story = Story(shop)
        let first = try await shop.buy(Fixture.gold).transactionId
        try await shop.buy(Fixture.bronze)
        try await story.tell("gold is bought, and bronze for the renewal")
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-02-28T00:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-03-05T00:00:00Z")
        try await shop.change(first, "recover")
        try await story.tell("it is paid")
        try await story.advance(to: "2026-03-31T00:00:00Z")
        try await shop.change(first, "extend", body: ExtendSubscriptionBody(days: 5))
        try await story.tell("five days are given")
        try await story.advance(to: "2026-05-05T00:00:00Z")
        try story.ends(
            as: """
                2026-01-31, gold is bought, and bronze for the renewal
                  purchased #1
                  renewalChanged #1 bronze
                  sold #1 gold for 19.99
                  receipt of 2026-01-31
                    #1 of #1 gold 2026-01-31 to 2026-02-28
                  answers 0, latest #1
                  pending #1 gold then bronze, on
                2026-02-28
                  renewalFailed #1 until 2026-03-16
                  receipt as before
                  answers 0, latest #1
                  pending #1 gold then bronze, on, intent 2, retrying, grace to 2026-03-16
                  iOS 6 #1 to 2026-02-28: 0, newest #1 to 2026-02-28, bronze on, intent 2, retrying
                2026-03-05, it is paid
                  renewed #2
                  sold #2 bronze for 4.99, renewal
                  receipt of 2026-03-05
                    #1 of #1 gold 2026-01-31 to 2026-02-28
                    #2 of #1 bronze 2026-02-28 to 2026-03-31
                  answers 0, latest #2, #1
                  pending #1 bronze, on
                2026-03-31
                  renewed #3
                  sold #3 bronze for 4.99, renewal
                  receipt of 2026-03-31
                    #1 of #1 gold 2026-01-31 to 2026-02-28
                    #2 of #1 bronze 2026-02-28 to 2026-03-31
                    #3 of #1 bronze 2026-03-31 to 2026-04-30
                  answers 0, latest #3, #2, #1
                  pending #1 bronze, on
                2026-03-31, five days are given
                  extended #3
                  receipt of 2026-03-31
                    #1 of #1 gold 2026-01-31 to 2026-02-28
                    #2 of #1 bronze 2026-02-28 to 2026-03-31
                    #3 of #1 bronze 2026-03-31 to 2026-05-05
                  answers 0, latest #3, #2, #1
                  pending #1 bronze, on
                2026-05-05
                  renewed #4
                  sold #4 bronze for 4.99, renewal
                  receipt of 2026-05-05
                    #1 of #1 gold 2026-01-31 to 2026-02-28
                    #2 of #1 bronze 2026-02-28 to 2026-03-31
                    #3 of #1 bronze 2026-03-31 to 2026-05-05
                // Not the 31st any more.
                    #4 of #1 bronze 2026-05-05 to 2026-06-05
                  answers 0, latest #4, #3, #2, #1
                  pending #1 bronze, on
                """)
    }

    @Test func `a story of an owed month followed by a new purchase of another product`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await story.tell("gold is bought")
        try await story.tellOld(first)
        try await story.advance(to: "2026-06-10T00:00:00Z")
        try story.ends(
            as: """
                2026-05-01
                  purchased #1
                  renewalFailed #1
                  sold #1 silver for 9.99
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying
                2026-05-10, gold is bought
                  purchased #2
                // April was used up, so nothing of it is given back or marked.
                  sold #2 gold for 19.99
                  receipt of 2026-05-10
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 gold 2026-05-10 to 2026-06-10
                  answers 0, latest #2, #1
                  pending #1 gold, on
                  iOS 6 #1 to 2026-05-01: 0, newest #2 to 2026-06-10, gold on
                2026-06-10
                  renewalFailed #2
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 gold, on, intent 2, retrying
                """)
    }

    @Test func `a story of credit that pays an owed month before the upgrade refunds it`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        var story = Story(shop)
        try await shop.store.topUp("15")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        try await shop.store.topUp("30")
        try await shop.buy(Fixture.gold)
        try await story.tell("30 are paid in, and gold is bought")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 9.99
                  topUp 15, 15 left
                  charge -9.99 of #1, 5.01 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on
                2026-05-01
                  renewalFailed #1
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying
                2026-05-10, 30 are paid in, and gold is bought
                  renewed #2
                  replaced #2
                  purchased #3
                  sold #2 silver for 9.99, renewal
                  sold #3 gold for 19.99
                // All of the month is left.
                  back 9.99 of #2
                  topUp 30, 35.01 left
                  charge -9.99 of #2, 25.02 left
                  refund 9.99 of #2, 35.01 left
                  charge -19.99 of #3, 15.02 left
                  receipt of 2026-05-10
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-10 to 2026-06-10, cancelled 2026-05-10
                    #3 of #1 gold 2026-05-10 to 2026-06-10
                  answers 0, latest #3, #2 upgraded, #1
                  pending #1 gold, on
                """)
    }

    @Test func `a story of a discounted month that keeps its price when paid late`() async throws {
        let shop = try await Fixture(
            at: "2026-04-01T00:00:00Z",
            trial: """
                { "internalID" : "1", "numberOfPeriods" : 2, "paymentMode" : "payAsYouGo",
                  "displayPrice" : "0.99", "subscriptionPeriod" : "P1M" }
                """)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-20T00:00:00Z")
        try await shop.change(first, "recover")
        try await story.tell("it is paid")
        try await story.advance(to: "2026-06-20T00:00:00Z")
        try story.ends(
            as: """
                2026-05-01
                  purchased #1
                  renewalFailed #1
                  sold #1 silver for 0.99, introductory payAsYouGo
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying
                2026-05-20, it is paid
                  renewed #2
                  sold #2 silver for 0.99, renewal, introductory payAsYouGo
                  receipt of 2026-05-20
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                    #2 of #1 silver 2026-05-20 to 2026-06-20, introductory
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-06-20
                  renewed #3
                  sold #3 silver for 9.99, renewal
                  receipt of 2026-06-20
                    #1 of #1 silver 2026-04-01 to 2026-05-01, introductory
                    #2 of #1 silver 2026-05-20 to 2026-06-20, introductory
                    #3 of #1 silver 2026-06-20 to 2026-07-20
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                """)
    }
}
