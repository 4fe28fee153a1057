import StoreModel
import StoreRules
import Testing

/// What a renewal costs when the product's price is another by now.
struct RenewalPriceTests {
    private func price(
        _ plan: Int64, raisedTo increase: Int64? = nil, wasRaised: Bool = false
    ) throws -> Int64 {
        var subscription = try Samples.bought()
        if let increase {
            subscription = try SubscriptionRules.increasePrice(
                to: Samples.money(increase), needsConsent: false, subscription)
        }
        let facts = RenewalFacts(
            plan: Samples.plan("silver", level: 2, .month, plan), pace: .calendar,
            gracePeriod: nil, wasRaised: wasRaised)
        return try Samples.dueBill(subscription, facts).amount.milliunits
    }

    @Test func `a price that fell is passed on, one that rose is not`() throws {
        #expect(try price(7_990) == 7_990)
        #expect(try price(12_990) == 9_990)
        #expect(try price(7_990, wasRaised: true) == 9_990)
        #expect(try price(7_990, raisedTo: 10_990) == 10_990)
    }

    @Test func `another currency costs what it asks`() throws {
        let plan = SubscriptionPlan(
            product: ProductID("silver"), group: "fan", level: 2, period: .month,
            price: Money(milliunits: 4_000, currency: try #require(Currency(code: "EUR"))))
        #expect(try Samples.dueBill(try Samples.bought(), Samples.facts(plan)).amount == plan.price)
    }

    @Test func `what is off sale is served for the whole grace period, and ends with it`() throws {
        let active = try Samples.bought()
        let facts = RenewalFacts(plan: nil, pace: .calendar, gracePeriod: .sixteenDays)
        var grace = RenewalRules.unpaid(active, facts, at: active.expiresAt)
        let end = try #require(grace.phase.graceUntil)
        var tries = 0
        while let due = grace.dueAt, due < end {
            #expect(RenewalRules.due(grace, facts, at: due) == .tryLater)
            grace = RenewalRules.unpaid(grace, facts, at: due)
            #expect(grace.isServed)
            tries += 1
        }
        #expect(tries == 15)
        #expect(RenewalRules.due(grace, facts, at: end) == .expire(.billingError))
    }

    @Test func `nothing is tried for who turned renewal off`() throws {
        let active = try Samples.bought()
        for grace in [GracePeriod.sixteenDays, nil] {
            let owed = RenewalRules.unpaid(
                active, Samples.facts(grace: grace), at: active.expiresAt)
            let tried = RenewalInfo(owed)
            #expect(tried.isInBillingRetry == true && tried.expirationIntent == 2)
            let off = RenewalInfo(
                try SubscriptionRules.setAutoRenew(false, owed, at: active.expiresAt))
            #expect(off.isInBillingRetry == false && off.expirationIntent == 1)
        }
    }
}
