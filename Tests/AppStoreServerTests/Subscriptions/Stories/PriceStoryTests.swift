import Testing

@testable import AppStoreServer

/// Prices that rise for who subscribes, with consent and without.
struct PriceStoryTests {
    private typealias Fixture = SubscriptionFixture

    private static let bought = """
        2026-04-01, silver is bought
          purchased #1
          sold #1 silver for 9.99
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
        """
    private static let asked = """
        2026-04-10, 12.99 is asked for
          priceConsent 1
          priceIncreased #1
          receipt as before
          answers 0, latest #1
          pending #1 silver, on, consent 0, increase 0
        """

    private func open() async throws -> (shop: Fixture, story: Story, first: String) {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await shop.advance(to: "2026-04-10T00:00:00Z")
        try await shop.increasePrice(first, to: "12.99", needsConsent: true)
        try await story.tell("12.99 is asked for")
        return (shop, story, first)
    }

    @Test func `a story of a price increase with consent and another that needs none`() async throws
    {
        var (shop, story, first) = try await open()
        try await shop.advance(to: "2026-04-12T00:00:00Z")
        try await shop.answerPrice(1, "agree")
        try await story.tell("it is agreed to")
        try await story.tellOld(first)
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        try await shop.increasePrice(first, to: "14.99", needsConsent: false)
        try await story.tell("14.99 is told")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try story.ends(
            as: """
                \(Self.bought)
                \(Self.asked)
                2026-04-12, it is agreed to
                  priceConsent 1
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on, consent 1, increase 1
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on
                2026-05-01
                  renewed #2
                  sold #2 silver for 12.99, renewal
                  receipt of 2026-05-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-05-10, 14.99 is told
                  priceIncreased #2
                  receipt as before
                  answers 0, latest #2, #1
                // What needs no consent has no status of one.
                  pending #1 silver, on, increase 1
                2026-06-01
                  renewed #3
                  sold #3 silver for 14.99, renewal
                  receipt of 2026-06-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                    #3 of #1 silver 2026-06-01 to 2026-07-01
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of a declined price that ends it, and a return at the general price`()
        async throws
    {
        var (shop, story, first) = try await open()
        try await shop.advance(to: "2026-04-12T00:00:00Z")
        try await shop.answerPrice(1, "decline")
        try await story.tell("it is declined")
        try await story.tellOld(first)
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-05-20T00:00:00Z")
        try await shop.buy()
        try await story.tell("silver is bought again")
        try await story.advance(to: "2026-06-20T00:00:00Z")
        try story.ends(
            as: """
                \(Self.bought)
                \(Self.asked)
                2026-04-12, it is declined
                  renewalChanged #1
                  priceConsent 1
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, off, consent 0, increase 0
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver off
                2026-05-01
                  expired #1 3
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, off, intent 3, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #1 to 2026-05-01, \
                silver off, intent 3, not retrying
                2026-05-20, silver is bought again
                  purchased #2
                // It was raised for this subscription only, which ended.
                  sold #2 silver for 9.99
                  receipt of 2026-05-20
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-20 to 2026-06-20
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-06-20
                  renewed #3
                  sold #3 silver for 9.99, renewal
                  receipt of 2026-06-20
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-20 to 2026-06-20
                    #3 of #1 silver 2026-06-20 to 2026-07-20
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of a price increase nobody answered and nobody is charged`() async throws {
        var (_, story, first) = try await open()
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.tellOld(first)
        try story.ends(
            as: """
                \(Self.bought)
                \(Self.asked)
                2026-05-01
                // The question is withdrawn.
                  priceConsent 1
                  expired #1 3
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, off, intent 3, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #1 to 2026-05-01, \
                silver off, intent 3, not retrying
                """)
    }

    @Test func `a story of a raised price for newcomers and a lowered price for all`() async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        try await shop.buy()
        try await story.tell("silver is bought")
        try await shop.setPrice("12.99", of: Fixture.silver)
        try await story.advance(to: "2026-05-01T00:00:00Z", "silver costs 12.99 by now")
        try await shop.setPrice("7.99", of: Fixture.silver)
        try await story.advance(to: "2026-06-01T00:00:00Z", "silver costs 7.99 by now")
        try story.ends(
            as: """
                \(Self.bought)
                2026-05-01, silver costs 12.99 by now
                  renewed #2
                  sold #2 silver for 9.99, renewal
                  receipt of 2026-05-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-06-01, silver costs 7.99 by now
                  renewed #3
                  sold #3 silver for 7.99, renewal
                  receipt of 2026-06-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                    #3 of #1 silver 2026-06-01 to 2026-07-01
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                """)
    }
}
