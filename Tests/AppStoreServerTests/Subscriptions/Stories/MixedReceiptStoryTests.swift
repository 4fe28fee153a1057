import Testing

@testable import AppStoreServer

/// Products of every kind in one receipt, with the money of a real account.
struct MixedReceiptStoryTests {
    private typealias Fixture = SubscriptionFixture

    private func open(credit: String) async throws -> (shop: Fixture, story: Story) {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        func product(_ id: String, _ type: String, _ price: String) -> String {
            """
            { "displayPrice" : "\(price)", "familyShareable" : false, "internalID" : "\(id)",
              "localizations" : [], "productID" : "\(id)", "referenceName" : "\(id)",
              "type" : "\(type)" }
            """
        }
        let (turbo, fuel, season) = (
            product(Samples.turbo, "NonConsumable", "2.99"),
            product(Samples.fuel, "Consumable", "0.99"),
            product(Samples.season, "NonRenewingSubscription", "4.99")
        )
        try await shop.importCatalogue(
            Fixture.catalogue(trial: nil)
                .replacing("\"products\" : []", with: "\"products\" : [\(turbo), \(fuel)]")
                .replacing(
                    "\"nonRenewingSubscriptions\" : []",
                    with: "\"nonRenewingSubscriptions\" : [\(season)]"))
        try await shop.store.topUp(credit)
        return (shop, Story(shop))
    }

    private func buy(
        _ product: String, quantity: Int = 1, at shop: SubscriptionFixture
    ) async throws -> String {
        try await shop.store.buy(product, quantity: quantity, token: shop.token, in: shop.base)
            .transactionId
    }

    @Test func `a story of consumables leaving a receipt in which all else stays`() async throws {
        var (shop, story) = try await open(credit: "60")
        let silver = try await buy(Fixture.silver, at: shop)
        let turbo = try await buy(Samples.turbo, at: shop)
        let fuel = try await buy(Samples.fuel, quantity: 2, at: shop)
        let season = try await buy(Samples.season, at: shop)
        try await story.tell("one of each kind is bought")
        try await shop.advance(to: "2026-04-02T00:00:00Z")
        for id in [silver, turbo, season] { try await shop.finish(id) }
        try await story.tell("all but the fuel is finished")
        try await shop.finish(fuel)
        try await story.tell("the fuel is finished")
        try await shop.advance(to: "2026-04-05T00:00:00Z")
        let more = try await buy(Samples.fuel, at: shop)
        try await story.tell("more fuel is bought")
        try await story.advance(to: "2026-05-01T00:00:00Z")
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        try await shop.revoke(more, .other)
        try await story.tell("the fuel is taken back")
        try await shop.advance(to: "2026-05-03T00:00:00Z")
        _ = try await buy(Samples.turbo, at: shop)
        _ = try await buy(Samples.season, at: shop)
        try await story.tell("turbo and season are bought again")
        try story.ends(as: Self.ofEachKind)
    }

    private static let ofEachKind = """
        2026-04-01, one of each kind is bought
          purchased #1
          purchased #2
          purchased #3
          purchased #4
          sold #1 silver for 9.99
          sold #2 turbo for 2.99
          sold #3 fuel for 1.98
          sold #4 season for 4.99
          topUp 60, 60 left
          charge -9.99 of #1, 50.01 left
          charge -2.99 of #2, 47.02 left
          charge -1.98 of #3, 45.04 left
          charge -4.99 of #4, 40.05 left
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #3 of #3 fuel × 2 2026-04-01
            #4 of #4 season 2026-04-01
          answers 0, latest #4, #3, #2, #1
          pending #1 silver, on
        2026-04-02, all but the fuel is finished
          finished #1
          finished #2
          finished #4
          receipt as before
          answers 0, latest #4, #3, #2, #1
          pending #1 silver, on
        2026-04-02, the fuel is finished
          finished #3
          receipt of 2026-04-02
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #4 of #4 season 2026-04-01
          answers 0, latest #4, #2, #1
          pending #1 silver, on
        2026-04-05, more fuel is bought
          purchased #5
          sold #5 fuel for 0.99
          charge -0.99 of #5, 39.06 left
          receipt of 2026-04-05
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #4 of #4 season 2026-04-01
            #5 of #5 fuel 2026-04-05
          answers 0, latest #5, #4, #2, #1
          pending #1 silver, on
        2026-05-01
          renewed #6
          sold #6 silver for 9.99, renewal
          charge -9.99 of #6, 29.07 left
          receipt of 2026-05-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #4 of #4 season 2026-04-01
            #5 of #5 fuel 2026-04-05
            #6 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #6, #5, #4, #2, #1
          pending #1 silver, on
        2026-05-02, the fuel is taken back
          revoked #5
          refund 0.99 of #5, 30.06 left
          receipt of 2026-05-02
        // Nobody would finish it any more, so it is gone from here.
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #4 of #4 season 2026-04-01
            #6 of #1 silver 2026-05-01 to 2026-06-01
          answers 0, latest #6, #4, #2, #1
          pending #1 silver, on
          older: #5 of #5 fuel 2026-04-05, cancelled 2026-05-02 for 0
        2026-05-03, turbo and season are bought again
          purchased #7
          purchased #8
        // Turbo is owned, and season is not for good.
          sold #7 turbo for 0
          sold #8 season for 4.99
          charge -4.99 of #8, 25.07 left
          receipt of 2026-05-03
            #1 of #1 silver 2026-04-01 to 2026-05-01
            #2 of #2 turbo 2026-04-01
            #4 of #4 season 2026-04-01
            #6 of #1 silver 2026-05-01 to 2026-06-01
            #7 of #2 turbo 2026-05-03
            #8 of #8 season 2026-05-03
          answers 0, latest #8, #7, #6, #4, #2, #1
          pending #1 silver, on
          older: #5 of #5 fuel 2026-04-05, cancelled 2026-05-02 for 0
        """

    @Test func `a story of a receipt older than the subscription that lists nothing newer`()
        async throws
    {
        var (shop, story) = try await open(credit: "20")
        try await story.tell("nothing is bought yet")
        _ = try await buy(Samples.turbo, at: shop)
        try await story.tell("turbo is bought")
        try await shop.advance(to: "2026-04-03T00:00:00Z")
        let silver = try await buy(Fixture.silver, at: shop)
        try await shop.change(silver, "cancel")
        try await story.tell("silver is bought, and turned off")
        try await story.advance(to: "2026-05-03T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, nothing is bought yet
                  topUp 20, 20 left
                  receipt of 2026-04-01
                  answers 0
                2026-04-01, turbo is bought
                  purchased #1
                  sold #1 turbo for 2.99
                  charge -2.99 of #1, 17.01 left
                  receipt of 2026-04-01
                    #1 of #1 turbo 2026-04-01
                  answers 0
                2026-04-03, silver is bought, and turned off
                  purchased #2
                  renewalChanged #2
                  sold #2 silver for 9.99
                  charge -9.99 of #2, 7.02 left
                  receipt of 2026-04-03
                    #1 of #1 turbo 2026-04-01
                    #2 of #2 silver 2026-04-03 to 2026-05-03
                  answers 0, latest #2, #1
                  pending #2 silver, off
                2026-05-03
                  expired #2 1
                  receipt as before
                  answers 0, latest #2, #1
                  pending #2 silver, off, intent 1, not retrying
                """)
    }
}
