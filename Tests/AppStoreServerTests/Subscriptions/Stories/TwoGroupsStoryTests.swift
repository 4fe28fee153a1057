import Testing

@testable import AppStoreServer

/// Subscriptions of two groups in one receipt, one of months and one of weeks.
struct TwoGroupsStoryTests {
    private typealias Fixture = SubscriptionFixture

    /// The fixture's group, and a weekly club beside it.
    private static let catalogue = Fixture.catalogue(trial: nil).replacing(
        "\"subscriptionGroups\" : [",
        with: """
            "subscriptionGroups" : [ { "id" : "AAAAAAAA", "localizations" : [], "name" : "Club",
              "subscriptions" : [
                { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "1.99",
                  "familyShareable" : false, "groupNumber" : 1, "internalID" : "00000004",
                  "introductoryOffer" : null, "localizations" : [],
                  "productID" : "\(Samples.club)", "recurringSubscriptionPeriod" : "P1W",
                  "referenceName" : "Club", "subscriptionGroupID" : "AAAAAAAA",
                  "type" : "RecurringSubscription" } ] },
            """)

    @Test func `a story of two subscription groups that renew, fail and end independently`()
        async throws
    {
        let shop = try await Fixture(at: "2026-04-01T00:00:00Z")
        try await shop.importCatalogue(Self.catalogue)
        try await shop.serve(graceDays: 16)
        var story = Story(shop)
        let silver = try await shop.buy().transactionId
        let club = try await shop.buy(Samples.club).transactionId
        try await story.tell("silver and club are bought")
        try await story.advance(to: "2026-04-08T00:00:00Z")
        try await shop.change(club, "fail-billing")
        try await story.advance(to: "2026-04-15T00:00:00Z", "club's payments fail")
        try await story.advance(to: "2026-04-21T00:00:00Z")
        try await story.tellOld(silver)
        try await story.tellOld(club)
        try await shop.change(silver, "cancel")
        try await story.advance(to: "2026-05-01T00:00:00Z", "silver was turned off")
        try await shop.advance(to: "2026-05-02T00:00:00Z")
        try await shop.change(club, "recover")
        try await story.tell("club is paid")
        try await story.tellOld(silver)
        try await story.tellOld(club)
        try story.ends(
            as: """
                2026-04-01, silver and club are bought
                  purchased #1
                  purchased #2
                  sold #1 silver for 9.99
                  sold #2 club for 1.99
                  receipt of 2026-04-01
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #2 club 2026-04-01 to 2026-04-08
                  answers 0, latest #2, #1
                  pending #1 silver, on
                  pending #2 club, on
                2026-04-08
                  renewed #3
                  sold #3 club for 1.99, renewal
                  receipt of 2026-04-08
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #2 club 2026-04-01 to 2026-04-08
                    #3 of #2 club 2026-04-08 to 2026-04-15
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                  pending #2 club, on
                2026-04-15, club's payments fail
                  renewalFailed #3 until 2026-04-21
                  receipt as before
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                // A weekly subscription has 6 days of the 16.
                  pending #2 club, on, intent 2, retrying, grace to 2026-04-21
                2026-04-21
                  gracePeriodEnded #3
                  receipt as before
                  answers 0, latest #3, #2, #1
                  pending #1 silver, on
                  pending #2 club, on, intent 2, retrying
                  iOS 6 #1 to 2026-05-01: 0, newest #1 to 2026-05-01, silver on
                  iOS 6 #2 to 2026-04-08: 21006, ended #3 to 2026-04-15, \
                club on, intent 2, retrying
                2026-05-01, silver was turned off
                  renewalChanged #1
                  expired #1 1
                  receipt as before
                  answers 0, latest #3, #2, #1
                  pending #1 silver, off, intent 1, not retrying
                  pending #2 club, on, intent 2, retrying
                2026-05-02, club is paid
                  renewed #4
                  sold #4 club for 1.99, renewal
                  receipt of 2026-05-02
                    #1 of #1 silver 2026-04-01 to 2026-05-01
                    #2 of #2 club 2026-04-01 to 2026-04-08
                    #3 of #2 club 2026-04-08 to 2026-04-15
                    #4 of #2 club 2026-05-02 to 2026-05-09
                  answers 0, latest #4, #3, #2, #1
                  pending #1 silver, off, intent 1, not retrying
                  pending #2 club, on
                  iOS 6 #1 to 2026-05-01: 21006, ended #1 to 2026-05-01, \
                silver off, intent 1, not retrying
                  iOS 6 #2 to 2026-04-08: 0, newest #4 to 2026-05-09, club on
                """)
    }
}
