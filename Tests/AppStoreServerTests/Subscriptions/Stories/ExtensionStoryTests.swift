import StoreWire
import Testing

@testable import AppStoreServer

/// Days that are given, and products that are removed from sale.
struct ExtensionStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of ten extra days and a product removed from sale and put back`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-04-10T00:00:00Z")
        try await shop.change(first, "extend", body: ExtendSubscriptionBody(days: 10))
        try await story.tell("ten days are given")
        try await story.tellOld(first)
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await story.advance(to: "2026-05-11T00:00:00Z")
        try await shop.advance(to: "2026-05-20T00:00:00Z")
        try await shop.setState(.removedFromSale, of: Fixture.silver)
        try await story.tell("silver is removed from sale")
        try await story.advance(to: "2026-06-11T00:00:00Z")
        try await story.tellOld(first)
        try await shop.advance(to: "2026-06-20T00:00:00Z")
        try await shop.setState(.clearedForSale, of: Fixture.silver)
        try await shop.buy()
        try await story.tell("it is put back, and bought")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 9.99
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on
                2026-04-10, ten days are given
                  extended #1
                  receipt of 2026-04-10
                    #1 of #1 silver 2026-04-01 to 2026-05-11
                  answers 0, latest #1
                  pending #1 silver, on
                // The old receipts say what was signed.
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-11, silver on
                2026-05-01
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on
                2026-05-11
                  renewed #2
                  sold #2 silver for 9.99, renewal
                  receipt of 2026-05-11
                    #1 of #1 silver 2026-04-01 to 2026-05-11
                    #2 of #1 silver 2026-05-11 to 2026-06-11
                  answers 0, latest #2, #1
                  pending #1 silver, on
                2026-05-20, silver is removed from sale
                  receipt as before
                  answers 0, latest #2, #1
                // It may be put back before the renewal.
                  pending #1 silver, on
                2026-06-11
                  expired #2 4
                  receipt as before
                  answers 0, latest #2, #1
                  pending #1 silver, off, intent 4, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #2 to 2026-06-11, \
                silver off, intent 4, not retrying
                2026-06-20, it is put back, and bought
                  purchased #3
                  sold #3 silver for 9.99
                  receipt of 2026-06-20
                    #1 of #1 silver 2026-04-01 to 2026-05-11
                    #2 of #1 silver 2026-05-11 to 2026-06-11
                    #3 of #1 silver 2026-06-20 to 2026-07-20
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                """)
    }

    @Test func `a story of a chosen downgrade that is removed from sale`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        var story = Story(shop)
        try await shop.buy(Fixture.gold)
        try await shop.buy(Fixture.bronze)
        try await shop.setState(.removedFromSale, of: Fixture.bronze)
        try await story.tell("gold is bought, and bronze for the renewal")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, gold is bought, and bronze for the renewal
                  purchased #1
                  renewalChanged #1 bronze
                  sold #1 gold for 19.99
                  receipt of 2026-04-01
                    #1 of #1 gold 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 gold then bronze, on
                2026-05-01
                // Gold would be for sale, and is not what its person chose.
                  expired #1 4
                  receipt as before
                  answers 0, latest #1
                  pending #1 gold, off, intent 4, not retrying
                """)
    }

    @Test func `a story of a product removed from sale while a payment is owed`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await shop.serve(graceDays: 16)
        var story = Story(shop)
        let first = try await shop.buy().transactionId
        try await shop.change(first, "fail-billing")
        try await shop.advance(to: "2026-05-05T00:00:00Z")
        try await shop.setState(.removedFromSale, of: Fixture.silver)
        try await story.tell("silver is not paid, and removed from sale")
        try await story.tellOld(first)
        try await story.advance(to: "2026-05-16T00:00:00Z")
        try await story.advance(to: "2026-05-17T00:00:00Z")
        try await story.tellOld(first)
        try story.ends(
            as: """
                2026-05-05, silver is not paid, and removed from sale
                  purchased #1
                  renewalFailed #1 until 2026-05-17
                  sold #1 silver for 9.99
                // It came with the purchase, and nothing has changed in it since.
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying, grace to 2026-05-17
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on, intent 2, retrying
                2026-05-16
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, on, intent 2, retrying, grace to 2026-05-17
                2026-05-17
                  expired #1 2
                  receipt as before
                  answers 0, latest #1
                  pending #1 silver, off, intent 2, not retrying
                  iOS 6 #1 to 2026-05-01: 21006, ended #1 to 2026-05-01, \
                silver off, intent 2, not retrying
                """)
    }
}
