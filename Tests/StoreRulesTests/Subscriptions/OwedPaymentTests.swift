import StoreModel
import StoreRules
import Testing

/// What an owed payment comes to when the product, or the pace, is another by then.
struct OwedPaymentTests {
    private static let week = Samples.plan("week", level: 3, .week, 1_990)

    private func owed(
        choosing product: ProductID? = nil, grace: GracePeriod?
    ) throws -> Subscription {
        let active = try SubscriptionChangeRules.choose(
            product, try Samples.bought(), at: Samples.start)
        return RenewalRules.unpaid(active, Samples.facts(grace: grace), at: active.expiresAt)
    }

    @Test func `days served in the grace period count towards the paid period`() throws {
        let owed = try owed(grace: .twentyEightDays)
        let paid = try #require(owed.dueAt)
        let bill = try Samples.dueBill(owed, Samples.facts(grace: .twentyEightDays))
        #expect(bill.startsAt == owed.expiresAt && bill.startsAt < paid && bill.endsAt > paid)
    }

    @Test func `a shorter chosen product is charged once and begins when paid`()
        throws
    {
        var owed = try owed(choosing: ProductID("week"), grace: .twentyEightDays)
        let facts = Samples.facts(Self.week, grace: .twentyEightDays)
        let fifteenth = owed.expiresAt.adding(.days(15))
        owed = SubscriptionChangeRules.payingAgain(owed, at: owed.expiresAt)
        guard case .charge(let bill) = RenewalRules.due(owed, facts, at: fifteenth) else {
            throw Samples.Unexpected(what: "it is not charged")
        }
        #expect(bill.startsAt == fifteenth && bill.endsAt == fifteenth.adding(.days(7)))
        // A week that is not over yet began when the month ended.
        let fifth = owed.expiresAt.adding(.days(5))
        guard case .charge(let early) = RenewalRules.due(owed, facts, at: fifth) else {
            throw Samples.Unexpected(what: "it is not charged")
        }
        #expect(early.startsAt == owed.expiresAt)
    }

    @Test(arguments: [GracePeriod?.none, .sixteenDays])
    func `a change of pace adds no tries and charges no past period`(grace: GracePeriod?) throws {
        let owed = try owed(grace: grace)
        let fast = Samples.facts(pace: .oneRenewalEveryTwoSeconds, grace: grace)
        var tried = owed
        var tries = 0
        while let due = tried.dueAt, tried.isOpen {
            tries += 1
            try #require(tries <= 2 * Int(RenewalPace.retryTries))
            switch RenewalRules.due(tried, fast, at: due) {
            case .charge(let bill):
                #expect(bill.endsAt > due)
                tried = RenewalRules.unpaid(tried, fast, at: due)
            case .endGracePeriod: tried = RenewalRules.graceEnded(tried)
            case .expire(let reason): tried = RenewalRules.expired(tried, reason)
            case .nothing, .tryLater: throw Samples.Unexpected(what: "it stands still")
            }
        }
        #expect(tried.phase == .expired(.billingError))
    }

    @Test func `a product removed while a payment is owed ends as a billing error`() throws {
        let owed = try owed(grace: nil)
        let due = try #require(owed.dueAt)
        #expect(
            RenewalRules.due(owed, Samples.facts(nil), at: due) == .expire(.billingError))
    }

    @Test func `an unanswered price question ends a subscription with a pending offer, too`() throws
    {
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(12_990), question: 1, try Samples.bought())
        let offer = try SubscriptionOfferTests.offer(
            .payAsYouGo, .months(1), count: 3, 990, kind: .promotional)
        let promised = try SubscriptionChangeRules.choose(
            asked.product, offer: offer, asked, at: Samples.start)
        #expect(promised.nextOffer == offer)
        let due = try #require(promised.dueAt)
        #expect(
            RenewalRules.due(promised, Samples.facts(), at: due) == .expire(.noPriceConsent))
    }
}
