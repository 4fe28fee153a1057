import StoreWire
import Testing

@testable import AppStoreServer

/// What a family sees of each other's payments.
struct FamilyPaymentStoryTests {
    @Test func `a story of a family whose buyer owes a payment and declines a price`() async throws
    {
        let home = try await FamilyFixture()
        let shop = home.shop
        try await shop.serve(graceDays: 16)
        try await home.family(with: "kid")
        var story = Story(shop, people: [("mother", home.mother), ("kid", home.kid)])
        let first = try await shop.buy().transactionId
        try await shop.change(first, "fail-billing")
        try await story.advance(to: "2026-02-28T10:00:00Z", "mother bought silver in January")
        try await story.advance(to: "2026-03-16T10:00:00Z")
        try await shop.advance(to: "2026-03-20T10:00:00Z")
        try await shop.change(first, "recover")
        try await story.tell("mother pays")
        try await shop.advance(to: "2026-03-25T10:00:00Z")
        try await shop.increasePrice(first, to: "12.99", needsConsent: true)
        try await story.tell("mother is asked for 12.99")
        try await shop.answerPrice(1, "decline")
        try await story.tell("mother declines")
        try await story.advance(to: "2026-04-20T10:00:00Z")
        try story.ends(as: Self.owed)
    }

    private static let owed = """
        2026-02-28 10:00, mother bought silver in January
          purchased #1
          shared #2
          renewalFailed #1 until 2026-03-16
          sold #1 silver for 9.99
          shared #2 silver of #1 for 0
          mother's receipt of 2026-01-31 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
          answers 0, latest #1
          pending #1 silver, on, intent 2, retrying, grace to 2026-03-16 10:00
        // The kid's device asks for the first time.
          kid's receipt of 2026-02-28 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
          answers 0, latest #2 shared
          pending #2 silver, on, intent 2, retrying, grace to 2026-03-16 10:00
        2026-03-16 10:00
          gracePeriodEnded #1
          mother's receipt as before
          answers 0, latest #1
          pending #1 silver, on, intent 2, retrying
          kid's receipt as before
          answers 0, latest #2 shared
          pending #2 silver, on, intent 2, retrying
        2026-03-20 10:00, mother pays
          renewed #3
          renewed #4
          sold #3 silver for 9.99, renewal
          shared #4 silver of #3 for 0
          mother's receipt of 2026-03-20 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #1 silver 2026-03-20 10:00 to 2026-04-20 10:00
          answers 0, latest #3, #1
          pending #1 silver, on
          kid's receipt of 2026-03-20 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #2 silver 2026-03-20 10:00 to 2026-04-20 10:00
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, on
        2026-03-25 10:00, mother is asked for 12.99
          priceConsent 1
          priceIncreased #3
          mother's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, on, consent 0, increase 0
          kid's receipt as before
          answers 0, latest #4 shared, #2 shared
        // The price is between the store and who pays.
          pending #2 silver, on
        2026-03-25 10:00, mother declines
          renewalChanged #3
          priceConsent 1
          mother's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, off, consent 0, increase 0
          kid's receipt as before
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, off
        2026-04-20 10:00
          expired #3 3
          mother's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, off, intent 3, not retrying
          kid's receipt as before
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, off, intent 3, not retrying
        """

    @Test func `a story of two members who both subscribe and keep their own when they part`()
        async throws
    {
        let home = try await FamilyFixture()
        let shop = home.shop
        try await home.family(with: "kid")
        var story = Story(shop, people: [("mother", home.mother), ("kid", home.kid)])
        try await shop.buy()
        try await shop.advance(to: "2026-02-10T10:00:00Z")
        _ = try await home.store.buy(FamilyFixture.silver, token: home.kid)
        try await story.tell("mother bought silver in January, and the kid buys it, too")
        try await story.advance(to: "2026-02-28T10:00:00Z")
        try await story.advance(to: "2026-03-10T10:00:00Z")
        try await shop.advance(to: "2026-03-15T10:00:00Z")
        let kid = FamilyMemberNameBody(name: "kid")
        #expect(try await home.change("/1/remove", kid) == [0, 2])
        try await story.tell("the kid leaves")
        try await story.advance(to: "2026-04-10T10:00:00Z")
        try story.ends(as: Self.both)
    }

    private static let mothers =
        "#8 of #4 silver 2026-03-10 10:00 to 2026-04-10 10:00, cancelled 2026-03-15 10:00 for 0"
    private static let kids =
        "#6 of #2 silver 2026-02-28 10:00 to 2026-03-31 10:00, cancelled 2026-03-15 10:00 for 0"
    private static let both = """
        2026-02-10 10:00, mother bought silver in January, and the kid buys it, too
          purchased #1
          shared #2
          purchased #3
          shared #4
          sold #1 silver for 9.99
          shared #2 silver of #1 for 0
          sold #3 silver for 9.99
          shared #4 silver of #3 for 0
          mother's receipt of 2026-02-10 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #4 silver 2026-02-10 10:00 to 2026-03-10 10:00
          answers 0, latest #4 shared, #1
          pending #1 silver, on
          pending #4 silver, on
          kid's receipt of 2026-02-10 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #3 silver 2026-02-10 10:00 to 2026-03-10 10:00
          answers 0, latest #3, #2 shared
          pending #3 silver, on
          pending #2 silver, on
        2026-02-28 10:00
          renewed #5
          renewed #6
          sold #5 silver for 9.99, renewal
          shared #6 silver of #5 for 0
          mother's receipt of 2026-02-28 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #4 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #5 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
          answers 0, latest #5, #4 shared, #1
          pending #1 silver, on
          pending #4 silver, on
          kid's receipt of 2026-02-28 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #3 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #6 of #2 silver 2026-02-28 10:00 to 2026-03-31 10:00
          answers 0, latest #6 shared, #3, #2 shared
          pending #3 silver, on
          pending #2 silver, on
        2026-03-10 10:00
          renewed #7
          renewed #8
          sold #7 silver for 9.99, renewal
          shared #8 silver of #7 for 0
          mother's receipt of 2026-03-10 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #4 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #5 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            #8 of #4 silver 2026-03-10 10:00 to 2026-04-10 10:00
          answers 0, latest #8 shared, #5, #4 shared, #1
          pending #1 silver, on
          pending #4 silver, on
          kid's receipt of 2026-03-10 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #3 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #6 of #2 silver 2026-02-28 10:00 to 2026-03-31 10:00
            #7 of #3 silver 2026-03-10 10:00 to 2026-04-10 10:00
          answers 0, latest #7, #6 shared, #3, #2 shared
          pending #3 silver, on
          pending #2 silver, on
        2026-03-15 10:00, the kid leaves
          revoked #6
          revoked #8
          mother's receipt of 2026-03-15 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #4 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #5 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            \(mothers)
          answers 0, latest #8 shared, #5, #4 shared, #1
          pending #1 silver, on
          pending #4 silver, off, intent 5, not retrying
          older: \(mothers)
          kid's receipt of 2026-03-15 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #3 silver 2026-02-10 10:00 to 2026-03-10 10:00
            \(kids)
            #7 of #3 silver 2026-03-10 10:00 to 2026-04-10 10:00
          answers 0, latest #7, #6 shared, #3, #2 shared
          pending #3 silver, on
          pending #2 silver, off, intent 5, not retrying
          older: \(kids)
        2026-04-10 10:00
          renewed #9
          renewed #10
          sold #9 silver for 9.99, renewal
          sold #10 silver for 9.99, renewal
          mother's receipt of 2026-04-10 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #4 silver 2026-02-10 10:00 to 2026-03-10 10:00
            #5 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            \(mothers)
            #9 of #1 silver 2026-03-31 10:00 to 2026-04-30 10:00
          answers 0, latest #9, #8 shared, #5, #4 shared, #1
          pending #1 silver, on
          pending #4 silver, off, intent 5, not retrying
          older: \(mothers)
          kid's receipt of 2026-04-10 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #3 silver 2026-02-10 10:00 to 2026-03-10 10:00
            \(kids)
            #7 of #3 silver 2026-03-10 10:00 to 2026-04-10 10:00
            #10 of #3 silver 2026-04-10 10:00 to 2026-05-10 10:00
          answers 0, latest #10, #7, #6 shared, #3, #2 shared
          pending #3 silver, on
          pending #2 silver, off, intent 5, not retrying
          older: \(kids)
        """
}
