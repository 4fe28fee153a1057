import Testing

@testable import AppStoreServer

/// What a shop's owner does to periods that run.
struct OwnerStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of a period renewed early by the owner and the next one ended`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        var story = Story(shop)
        try await shop.store.topUp("30")
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-04-11T00:00:00Z")
        try await shop.change(first, "renew")
        try await story.tell("it is renewed")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-04-21T00:00:00Z")
        try await shop.change(first, "expire")
        try await story.tell("it is ended")
        try await story.tellOld(first)
        try await story.advance(to: "2026-05-11T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 9.99
                  topUp 30, 30 left
                  charge -9.99 of #1, 20.01 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on
                2026-04-11, it is renewed
                  periodMoved #1
                  renewed #2
                  sold #2 silver for 9.99, renewal
                // What was paid for the rest of April is not given back.
                  charge -9.99 of #2, 10.02 left
                  receipt of 2026-04-11
                    #1 of #1 silver 2026-04-01 to 2026-04-11
                    #2 of #1 silver 2026-04-11 to 2026-05-11
                  answers 0, latest #2, #1
                  pending #1 silver, on
                // The old receipts say what was signed.
                  iOS 6 #1 to 2026-05-01: 0, newest #2 to 2026-05-11, silver on
                2026-04-21, it is ended
                  expired #2 1
                  receipt of 2026-04-21
                    #1 of #1 silver 2026-04-01 to 2026-04-11
                    #2 of #1 silver 2026-04-11 to 2026-04-21
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 1, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #2 to 2026-04-21, \
                silver off, intent 1, not retrying
                2026-05-11
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 1, not retrying
                """)
    }
}
