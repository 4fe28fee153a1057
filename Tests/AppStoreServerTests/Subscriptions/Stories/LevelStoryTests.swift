import Testing

@testable import AppStoreServer

/// Up, down and across the levels of a group, with the money of a real account.
struct LevelStoryTests {
    private typealias Fixture = SubscriptionFixture

    @Test func `a story of an upgrade, a downgrade withdrawn once, and a crossgrade`() async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        var story = Story(shop)
        try await shop.store.topUp("200")
        let silver = try await shop.buy().transactionId
        try await story.tell("silver is bought")
        try await story.tellOld(silver)
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await story.tell("gold is bought, a higher level")
        try await story.tellOld(silver)
        try await shop.advance(to: "2026-04-20T00:00:00Z")
        try await shop.buy(Fixture.bronze)
        try await story.tell("bronze is bought, a lower level")
        try await story.tellOld(silver)
        try await shop.advance(to: "2026-04-21T00:00:00Z")
        try await shop.buy(Fixture.gold)
        try await story.tell("gold is bought after all")
        try await shop.advance(to: "2026-05-10T00:00:00Z")
        try await shop.buy(Fixture.bronze)
        try await story.tell("bronze is bought once more")
        try await story.advance(to: "2026-05-16T00:00:00Z")
        try await shop.advance(to: "2026-06-01T00:00:00Z")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await shop.buy(Fixture.silverYear)
        try await story.tell("a year of it is bought")
        try await story.advance(to: "2026-07-01T00:00:00Z")
        try await story.tellOld(silver)
        try story.ends(as: Self.upDownAndAcross)
    }

    private static let upDownAndAcross = """
        2026-04-01, silver is bought
          purchased #1
          sold #1 silver for 9.99
          topUp 200, 200 left
          charge -9.99 of #1, 190.01 left
          receipt of 2026-04-01
            #1 of #1 silver 2026-04-01 to 2026-05-01
          answers 0, latest #1
          pending #1 silver, on
          iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on
        2026-04-16, gold is bought, a higher level
          replaced #1
          purchased #2
          sold #2 gold for 19.99
        // 15 of 30 days are left. The receipt of 1 April stays as it was signed.
          back 5 of #1
          refund 5 of #1, 195.01 left
          charge -19.99 of #2, 175.02 left
          receipt of 2026-04-16
            #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
            #2 of #1 gold 2026-04-16 to 2026-05-16
          answers 0, latest #2, #1 upgraded
          pending #1 gold, on
          iOS 6 #1 to 2026-05-01 cancelled 2026-04-16: 0, newest #2 to 2026-05-16, gold on
        2026-04-20, bronze is bought, a lower level
          renewalChanged #2 bronze
          receipt as before
          answers 0, latest #2, #1 upgraded
          pending #1 gold then bronze, on
          iOS 6 #1 to 2026-05-01 cancelled 2026-04-16: 0, newest #2 to 2026-05-16, bronze on
        2026-04-21, gold is bought after all
          renewalChanged #2 gold
          receipt as before
          answers 0, latest #2, #1 upgraded
          pending #1 gold, on
        2026-05-10, bronze is bought once more
          renewalChanged #2 bronze
          receipt as before
          answers 0, latest #2, #1 upgraded
          pending #1 gold then bronze, on
        2026-05-16
          renewed #3
          sold #3 bronze for 4.99, renewal
          charge -4.99 of #3, 170.03 left
          receipt of 2026-05-16
            #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
            #2 of #1 gold 2026-04-16 to 2026-05-16
            #3 of #1 bronze 2026-05-16 to 2026-06-16
          answers 0, latest #3, #2, #1 upgraded
          pending #1 bronze, on
        2026-06-01, silver is bought
          replaced #3
          purchased #4
          sold #4 silver for 9.99
        // 15 of 31 days are left: 4.99 × 15 / 31, rounded down.
          back 2.41 of #3
          refund 2.41 of #3, 172.44 left
          charge -9.99 of #4, 162.45 left
          receipt of 2026-06-01
            #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
            #2 of #1 gold 2026-04-16 to 2026-05-16
            #3 of #1 bronze 2026-05-16 to 2026-06-16, cancelled 2026-06-01
            #4 of #1 silver 2026-06-01 to 2026-07-01
          answers 0, latest #4, #3 upgraded, #2, #1 upgraded
          pending #1 silver, on
        2026-06-01, a year of it is bought
        // The same level with another length waits for the renewal.
          renewalChanged #4 silver.year
          receipt as before
          answers 0, latest #4, #3 upgraded, #2, #1 upgraded
          pending #1 silver then silver.year, on
        2026-07-01
          renewed #5
          sold #5 silver.year for 99.99, renewal
          charge -99.99 of #5, 62.46 left
          receipt of 2026-07-01
            #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
            #2 of #1 gold 2026-04-16 to 2026-05-16
            #3 of #1 bronze 2026-05-16 to 2026-06-16, cancelled 2026-06-01
            #4 of #1 silver 2026-06-01 to 2026-07-01
            #5 of #1 silver.year 2026-07-01 to 2027-07-01
          answers 0, latest #5, #4, #3 upgraded, #2, #1 upgraded
          pending #1 silver.year, on
          iOS 6 #1 to 2026-05-01 cancelled 2026-04-16: 0, newest #5 to 2027-07-01, silver.year on
        """

    @Test func `a story of a crossgrade of equal length that begins at once`() async throws {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z", in: .production)
        try await shop.importCatalogue(
            Fixture.catalogue(trial: nil).replacing(
                "\"groupNumber\" : 3", with: "\"groupNumber\" : 2"))
        var story = Story(shop)
        try await shop.store.topUp("20")
        try await shop.buy()
        try await story.tell("silver is bought")
        try await shop.advance(to: "2026-04-16T00:00:00Z")
        try await shop.buy(Fixture.bronze)
        try await story.tell("bronze is bought, of the same level now")
        try await story.advance(to: "2026-05-16T00:00:00Z")
        try story.ends(
            as: """
                2026-04-01, silver is bought
                  purchased #1
                  sold #1 silver for 9.99
                  topUp 20, 20 left
                  charge -9.99 of #1, 10.01 left
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                  answers 0, latest #1
                  pending #1 silver, on
                2026-04-16, bronze is bought, of the same level now
                  replaced #1
                  purchased #2
                  sold #2 bronze for 4.99
                  back 5 of #1
                  refund 5 of #1, 15.01 left
                  charge -4.99 of #2, 10.02 left
                  receipt of 2026-04-16
                    #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
                    #2 of #1 bronze 2026-04-16 to 2026-05-16
                  answers 0, latest #2, #1 upgraded
                  pending #1 bronze, on
                2026-05-16
                  renewed #3
                  sold #3 bronze for 4.99, renewal
                  charge -4.99 of #3, 5.03 left
                  receipt of 2026-05-16
                    #1 of #1 silver 2026-04-01 to 2026-05-01, cancelled 2026-04-16
                    #2 of #1 bronze 2026-04-16 to 2026-05-16
                    #3 of #1 bronze 2026-05-16 to 2026-06-16
                  answers 0, latest #3, #2, #1 upgraded
                  pending #1 bronze, on
                """)
    }
}
