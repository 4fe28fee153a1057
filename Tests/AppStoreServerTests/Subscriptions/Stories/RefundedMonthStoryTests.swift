import Testing

@testable import AppStoreServer

/// Months whose money goes back: what receipts from before and after say of them.
struct RefundedMonthStoryTests {
    private typealias Fixture = SubscriptionFixture

    private func open() async throws -> (shop: Fixture, story: Story, first: String) {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        var story = Story(shop)
        try await shop.store.topUp("50")
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        return (shop, story, first)
    }

    private static let bought = """
        2026-04-01, silver is bought
          purchased #1
          sold #1 silver for 9.99
          topUp 50, 50 left
          charge -9.99 of #1, 40.01 left
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
        """
    private static let renewed = """
        2026-05-01
          renewed #2
          sold #2 silver for 9.99, renewal
          charge -9.99 of #2, 30.02 left
          receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #2, #1
          pending #1 silver, on
        """

    @Test func `a story of a month refunded in full and the refund reversed`() async throws {
        var (shop, story, first) = try await open()
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        let may = try await shop.show(first).transactionId
        try await shop.requestRefund(may, .fulfillmentIssue)
        try await story.tell("the money of May is asked back")
        try await story.tellOld(may)
        try await shop.advance(to: "2026-05-12T00:00:00Z")
        try await shop.grantRefund(may, .full)
        try await story.tell("it is granted")
        try await story.tellOld(may)
        try await story.tellOld(first)
        try await shop.advance(to: "2026-05-20T00:00:00Z")
        try await shop.reverseRefund(may)
        try await story.tell("that is reversed")
        try await story.tellOld(may)
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try await story.tellOld(may)
        try story.ends(
            as: """
                \(Self.bought)
                \(Self.renewed)
                2026-05-10, the money of May is asked back
                // Who asks does not go on, whatever is decided.
                  renewalChanged #2
                  refundRequested #2 FULFILLMENT_ISSUE
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off
                  iOS 6 #2 to 2026-06-01: 0, newest #2 to 2026-06-01, silver off
                2026-05-12, it is granted
                  revoked #2
                  back 9.99 of #2
                  refund 9.99 of #2, 40.01 left
                  receipt of 2026-05-12
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-12 for 1
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 5, not retrying
                  older: #2 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-12 for 1
                  iOS 6 #2 to 2026-06-01 cancelled 2026-05-12 for 1: 21006, \
                ended #2 to 2026-06-01 cancelled 2026-05-12 for 1, silver off, intent 5, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, \
                ended #2 to 2026-06-01 cancelled 2026-05-12 for 1, silver off, intent 5, not retrying
                2026-05-20, that is reversed
                  refundReversed #2
                  charge -9.99 of #2, 30.02 left
                  receipt of 2026-05-20
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                  answers 0, latest #2, #1
                  pending #1 silver, off
                // That of 12 May was signed with the cancellation.
                  older: #2 of #1 silver 2026-05-01 to 2026-06-01
                  iOS 6 #2 to 2026-06-01: 0, newest #2 to 2026-06-01, silver off
                2026-06-01
                  expired #2 1
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 1, not retrying
                  older: #2 of #1 silver 2026-05-01 to 2026-06-01
                  iOS 6 #2 to 2026-06-01: 21006, ended #2 to 2026-06-01, \
                silver off, intent 1, not retrying
                """)
    }

    @Test func `a story of a prorated refund and a later one declined`() async throws {
        var (shop, story, first) = try await open()
        try await shop.advance(to: "2026-04-11T00:00:00Z")
        try await shop.requestRefund(first, .unsatisfiedWithPurchase)
        try await story.tell("the money of April is asked back")
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.grantRefund(first, .prorated)
        try await story.tell("that of its other half is granted")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-04-20T00:00:00Z")
        let second = try await shop.buy().transactionId
        try await story.tell("silver is bought again")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-04-25T00:00:00Z")
        try await shop.requestRefund(second, .other)
        try await story.tell("the money is asked back")
        try await shop.advance(to: "2026-04-26T00:00:00Z")
        try await shop.declineRefund(second)
        try await story.tell("it is declined")
        try await shop.advance(to: "2026-04-27T00:00:00Z")
        try await shop.change(first, "resume")
        try await story.tell("renewal is turned on again")
        try await story.advance(to: "2026-05-20T00:00:00Z")
        try story.ends(as: "\(Self.bought)\n\(Self.proratedAndDeclined)")
    }

    private static let april =
        "#1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16 for 1"
    private static let proratedAndDeclined = """
        2026-04-11, the money of April is asked back
          renewalChanged #1
          refundRequested #1 UNSATISFIED_WITH_PURCHASE
          receipt as before
          answers 0, latest #1
          pending #1 silver, off
        2026-04-16, that of its other half is granted
          revoked #1
          back 5 of #1
          refund 5 of #1, 45.01 left
          receipt of 2026-04-16
        // Taken back as a whole, whatever share of the money goes back.
            \(april)
          answers 0, latest #1
          pending #1 silver, off, intent 5, not retrying
          older: \(april)
          iOS 6 #1 to 2026-05-01 cancelled 2026-04-16 for 1: 21006, \
        ended #1 to 2026-05-01 cancelled 2026-04-16 for 1, silver off, intent 5, not retrying
        2026-04-20, silver is bought again
          purchased #2
          sold #2 silver for 9.99
          charge -9.99 of #2, 35.02 left
          receipt of 2026-04-20
            \(april)
            #2 of #1 silver 2026-04-20 to 2026-05-20
          answers 0, latest #2, #1
          pending #1 silver, on
          older: \(april)
          iOS 6 #1 to 2026-05-01 cancelled 2026-04-16 for 1: 0, newest #2 to 2026-05-20, silver on
        2026-04-25, the money is asked back
          renewalChanged #2
          refundRequested #2 OTHER
          receipt as before
          answers 0, latest #2, #1
          pending #1 silver, off
          older: \(april)
        2026-04-26, it is declined
          refundDeclined #2
          receipt as before
          answers 0, latest #2, #1
          pending #1 silver, off
          older: \(april)
        2026-04-27, renewal is turned on again
          renewalChanged #2 silver
          receipt as before
          answers 0, latest #2, #1
          pending #1 silver, on
          older: \(april)
        2026-05-20
          renewed #3
          sold #3 silver for 9.99, renewal
          charge -9.99 of #3, 25.03 left
          receipt of 2026-05-20
            \(april)
            #2 of #1 silver 2026-04-20 to 2026-05-20
            #3 of #1 silver 2026-05-20 to 2026-06-20
          answers 0, latest #3, #2, #1
          pending #1 silver, on
          older: \(april)
        """

    @Test func `a story of an older month revoked, then the newest`() async throws {
        var (shop, story, first) = try await open()
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        try await shop.revoke(first, .other)
        try await story.tell("April is taken back")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-05-11T00:00:00Z")
        try await shop.revoke(try await shop.show(first).transactionId, .issue)
        try await story.tell("May is taken back")
        try await story.advance(to: "2026-06-01T00:00:00Z")
        try story.ends(
            as: """
                \(Self.bought)
                \(Self.renewed)
                2026-05-10, April is taken back
                  revoked #1
                  refund 9.99 of #1, 40.01 left
                  receipt of 2026-05-10
                    #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-05-10 for 0
                    #2 of #1 silver 2026-05-01 to 2026-06-01
                  answers 0, latest #2, #1
                // It is not the newest, so the subscription goes on.
                  pending #1 silver, on
                  older: #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-05-10 for 0
                  iOS 6 #1 to 2026-05-01 cancelled 2026-05-10 for 0: 0, \
                newest #2 to 2026-06-01, silver on
                2026-05-11, May is taken back
                  revoked #2
                  refund 9.99 of #2, 50 left
                  receipt of 2026-05-11
                    #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-05-10 for 0
                    #2 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-11 for 1
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 5, not retrying
                  older: #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-05-10 for 0
                  older: #2 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-11 for 1
                2026-06-01
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 5, not retrying
                  older: #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-05-10 for 0
                  older: #2 of #1 silver 2026-05-01 to 2026-06-01, cancelled 2026-05-11 for 1
                """)
    }
}
