import StoreWire
import Testing

@testable import AppStoreServer

/// A mother's subscription in her kid's hands: the receipts of both, month by month.
struct FamilyStoryTests {
    private func open(
        trial: String? = nil
    ) async throws -> (home: FamilyFixture, story: Story) {
        let home = try await FamilyFixture(trial: trial)
        try await home.family(with: "kid")
        return (
            home, Story(home.shop, people: [("mother", home.mother), ("kid", home.kid)])
        )
    }

    @Test func `a story of a member who shares each month, leaves, returns and gets the upgrade`()
        async throws
    {
        var (home, story) = try await open()
        try await home.shop.buy()
        try await story.tell("mother buys silver")
        try await story.advance(to: "2026-02-28T10:00:00Z")
        try await home.shop.advance(to: "2026-03-10T10:00:00Z")
        let kid = FamilyMemberNameBody(name: "kid")
        #expect(try await home.change("/1/remove", kid) == [0, 1])
        try await story.tell("the kid leaves")
        try await story.advance(to: "2026-03-31T10:00:00Z")
        try await home.shop.advance(to: "2026-04-10T10:00:00Z")
        #expect(try await home.change("/1/add", kid) == [1, 0])
        try await story.tell("the kid comes back")
        try await home.shop.advance(to: "2026-04-20T10:00:00Z")
        try await home.shop.buy(FamilyFixture.gold)
        try await story.tell("mother buys gold")
        try await story.advance(to: "2026-05-20T10:00:00Z")
        try story.ends(as: Self.leavesAndComesBack)
    }

    private static let march =
        "#4 of #2 silver 2026-02-28 10:00 to 2026-03-31 10:00, cancelled 2026-03-10 10:00 for 0"
    private static let leavesAndComesBack = """
        2026-01-31 10:00, mother buys silver
          purchased #1
          shared #2
          sold #1 silver for 9.99
          shared #2 silver of #1 for 0
          mother's receipt of 2026-01-31 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
          answers 0, latest #1
          pending #1 silver, on
          kid's receipt of 2026-01-31 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
          answers 0, latest #2 shared
          pending #2 silver, on
        2026-02-28 10:00
          renewed #3
          renewed #4
          sold #3 silver for 9.99, renewal
          shared #4 silver of #3 for 0
          mother's receipt of 2026-02-28 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
          answers 0, latest #3, #1
          pending #1 silver, on
          kid's receipt of 2026-02-28 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #4 of #2 silver 2026-02-28 10:00 to 2026-03-31 10:00
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, on
        2026-03-10 10:00, the kid leaves
          revoked #4
          mother's receipt as before
          answers 0, latest #3, #1
          pending #1 silver, on
          kid's receipt of 2026-03-10 10:00
        // The month that was over stays as it was.
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            \(march)
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          older: \(march)
        2026-03-31 10:00
          renewed #5
          sold #5 silver for 9.99, renewal
          mother's receipt of 2026-03-31 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            #5 of #1 silver 2026-03-31 10:00 to 2026-04-30 10:00
          answers 0, latest #5, #3, #1
          pending #1 silver, on
          kid's receipt as before
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          older: \(march)
        2026-04-10 10:00, the kid comes back
          shared #6
          shared #6 silver of #5 for 0
          mother's receipt as before
          answers 0, latest #5, #3, #1
          pending #1 silver, on
          kid's receipt of 2026-04-10 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            \(march)
        // Shared again, it is another purchase, and begins when the kid came.
            #6 of #6 silver 2026-04-10 10:00 to 2026-04-30 10:00
          answers 0, latest #6 shared, #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          pending #6 silver, on
          older: \(march)
        2026-04-20 10:00, mother buys gold
          replaced #5
          replaced #6
          purchased #7
          shared #8
          sold #7 gold for 19.99
          shared #8 gold of #7 for 0
        // 10 of 30 days are left.
          back 3.33 of #5
          mother's receipt of 2026-04-20 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            #5 of #1 silver 2026-03-31 10:00 to 2026-04-30 10:00, cancelled 2026-04-20 10:00
            #7 of #1 gold 2026-04-20 10:00 to 2026-05-20 10:00
          answers 0, latest #7, #5 upgraded, #3, #1
          pending #1 gold, on
          kid's receipt of 2026-04-20 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            \(march)
            #6 of #6 silver 2026-04-10 10:00 to 2026-04-30 10:00, cancelled 2026-04-20 10:00
            #8 of #6 gold 2026-04-20 10:00 to 2026-05-20 10:00
          answers 0, latest #8 shared, #6 upgraded shared, #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          pending #6 gold, on
          older: \(march)
        2026-05-20 10:00
          renewed #9
          renewed #10
          sold #9 gold for 19.99, renewal
          shared #10 gold of #9 for 0
          mother's receipt of 2026-05-20 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-28 10:00
            #3 of #1 silver 2026-02-28 10:00 to 2026-03-31 10:00
            #5 of #1 silver 2026-03-31 10:00 to 2026-04-30 10:00, cancelled 2026-04-20 10:00
            #7 of #1 gold 2026-04-20 10:00 to 2026-05-20 10:00
            #9 of #1 gold 2026-05-20 10:00 to 2026-06-20 10:00
          answers 0, latest #9, #7, #5 upgraded, #3, #1
          pending #1 gold, on
          kid's receipt of 2026-05-20 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-28 10:00
            \(march)
            #6 of #6 silver 2026-04-10 10:00 to 2026-04-30 10:00, cancelled 2026-04-20 10:00
            #8 of #6 gold 2026-04-20 10:00 to 2026-05-20 10:00
            #10 of #6 gold 2026-05-20 10:00 to 2026-06-20 10:00
          answers 0, latest #10 shared, #8 shared, #6 upgraded shared, #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          pending #6 gold, on
          older: \(march)
        """

    @Test func `a story of a shared trial and a refund that comes and goes for both members`()
        async throws
    {
        var (home, story) = try await open(trial: SubscriptionFixture.freeWeek)
        let first = try await home.shop.buy().transactionId
        try await story.tell("mother buys silver")
        try await story.advance(to: "2026-02-07T10:00:00Z")
        let month = try await home.shop.show(first).transactionId
        try await home.shop.advance(to: "2026-02-10T10:00:00Z")
        try await home.shop.requestRefund(month, .other)
        try await home.shop.grantRefund(month, .full)
        try await story.tell("mother has her money back")
        try await home.shop.advance(to: "2026-02-12T10:00:00Z")
        try await home.shop.reverseRefund(month)
        try await story.tell("that is reversed")
        try story.ends(as: Self.refunded)
    }

    private static let taken =
        "of #2 silver 2026-02-07 10:00 to 2026-03-07 10:00, cancelled 2026-02-10 10:00 for 0"
    private static let refunded = """
        2026-01-31 10:00, mother buys silver
          purchased #1
          shared #2
          sold #1 silver for 0, introductory freeTrial
          shared #2 silver of #1 for 0
          mother's receipt of 2026-01-31 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
          answers 0, latest #1
          pending #1 silver, on
          kid's receipt of 2026-01-31 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
          answers 0, latest #2 shared
          pending #2 silver, on
        2026-02-07 10:00
          renewed #3
          renewed #4
          sold #3 silver for 9.99, renewal
          shared #4 silver of #3 for 0
          mother's receipt of 2026-02-07 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #3 of #1 silver 2026-02-07 10:00 to 2026-03-07 10:00
          answers 0, latest #3, #1
          pending #1 silver, on
          kid's receipt of 2026-02-07 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #4 of #2 silver 2026-02-07 10:00 to 2026-03-07 10:00
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, on
        2026-02-10 10:00, mother has her money back
          renewalChanged #3
          refundRequested #3 OTHER
          revoked #3
          revoked #4
          back 9.99 of #3
          mother's receipt of 2026-02-10 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #3 of #1 silver 2026-02-07 10:00 to 2026-03-07 10:00, cancelled 2026-02-10 10:00 for 0
          answers 0, latest #3, #1
          pending #1 silver, off, intent 5, not retrying
          older: #3 of #1 silver 2026-02-07 10:00 to 2026-03-07 10:00, \
        cancelled 2026-02-10 10:00 for 0
          kid's receipt of 2026-02-10 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #4 \(taken)
          answers 0, latest #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          older: #4 \(taken)
        2026-02-12 10:00, that is reversed
          refundReversed #3
          shared #5
          shared #5 silver of #3 for 0
          mother's receipt of 2026-02-12 10:00
            #1 of #1 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #3 of #1 silver 2026-02-07 10:00 to 2026-03-07 10:00
          answers 0, latest #3, #1
          pending #1 silver, off
          older: #3 of #1 silver 2026-02-07 10:00 to 2026-03-07 10:00
          kid's receipt of 2026-02-12 10:00
            #2 of #2 silver 2026-01-31 10:00 to 2026-02-07 10:00, trial
            #4 \(taken)
        // What the kid lost stays lost; this is another purchase.
            #5 of #5 silver 2026-02-12 10:00 to 2026-03-07 10:00
          answers 0, latest #5 shared, #4 shared, #2 shared
          pending #2 silver, off, intent 5, not retrying
          pending #5 silver, off
          older: #4 \(taken)
        """
}
