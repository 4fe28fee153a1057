import StoreModel
import StoreRules
import Testing

/// A family member's subscription, as the others have it.
struct SharedSubscriptionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var phase = Subscription.Phase.active
        var isNewest = true
        var isTakenBack = false
        let to: Subscription.Phase
        let renews: Bool
    }

    private static let grace = Samples.day(2023, 3, 20)

    @Test(arguments: [
        Row(testDescription: "it is active", to: .active, renews: true),
        Row(
            testDescription: "its payment is owed, and it is served",
            phase: .gracePeriod(until: grace), to: .gracePeriod(until: grace), renews: true),
        Row(
            testDescription: "its payment is owed", phase: .billingRetry, to: .billingRetry,
            renews: true),
        Row(
            testDescription: "it ended", phase: .expired(.voluntary), to: .expired(.voluntary),
            renews: true),
        Row(
            testDescription: "it was taken back from its holder", isTakenBack: true, to: .revoked,
            renews: false),
        Row(
            testDescription: "from its holder before it went on", isNewest: false,
            isTakenBack: true, to: .revoked, renews: false),
        Row(
            testDescription: "it went on without its holder", isNewest: false,
            to: .expired(.other), renews: false),
    ])
    func `a shared subscription follows the buyer's state unless it does not continue`(row: Row)
        throws
    {
        var owned = try Samples.bought()
        owned.phase = row.phase
        owned.nextProduct = ProductID("gold")
        owned.increase = Subscription.PriceIncrease(
            price: Samples.money(19_990), consent: .pending, question: 1)
        let (start, end) = (Samples.day(2023, 2, 10), Samples.day(2023, 2, 28))
        let seen = SharedSubscription.seen(
            owned, as: TransactionID(7), product: ProductID("silver"),
            since: Samples.day(2023, 2, 5), startedAt: start, expiresAt: end,
            isNewest: row.isNewest, isTakenBack: row.isTakenBack)
        #expect(seen.runStartedAt == Samples.day(2023, 2, 5), "it was shared after it began")
        #expect(seen.phase == row.to)
        #expect(seen.original == TransactionID(7))
        #expect(seen.product == ProductID("silver"))
        #expect(seen.startedAt == start)
        #expect(seen.expiresAt == end)
        #expect(seen.isAutoRenewing == row.renews)
        #expect(seen.nextProduct == (row.renews ? ProductID("gold") : nil))
        #expect(seen.increase == nil, "the price is its buyer's business")
    }
}
