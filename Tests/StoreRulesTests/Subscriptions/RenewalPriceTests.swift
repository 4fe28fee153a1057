import StoreModel
import StoreRules
import Testing

/// What a renewal costs when the product's price is another by now.
struct RenewalPriceTests {
    private func price(
        _ plan: Int64, raisedTo increase: Int64? = nil, isRaised: Bool = false
    ) throws -> Int64 {
        var subscription = try Samples.bought()
        subscription.isRaised = isRaised
        if let increase {
            subscription = try SubscriptionChangeRules.increasePrice(
                to: Samples.money(increase), question: nil, subscription)
        }
        let facts = RenewalFacts(
            plan: Samples.plan("silver", level: 2, .month, plan), pace: .calendar,
            gracePeriod: nil)
        return try Samples.dueBill(subscription, facts).amount.milliunits
    }

    @Test func `a lowered price reaches existing subscribers and a raised one does not`() throws {
        #expect(try price(7_990) == 7_990)
        #expect(try price(12_990) == 9_990)
        #expect(try price(7_990, isRaised: true) == 9_990)
        #expect(try price(7_990, raisedTo: 10_990) == 10_990)
    }

    @Test func `a new currency uses its own price and ends a question about the old one`() throws {
        let plan = SubscriptionPlan(
            product: ProductID("silver"), group: "fan", level: 2, period: .month,
            price: Money(milliunits: 4_000, currency: try #require(Currency(code: "EUR"))))
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(12_990), question: 1, try Samples.bought())
        let owed = RenewalRules.unpaid(asked, Samples.facts(), at: asked.expiresAt)
        let bill = try Samples.dueBill(owed, Samples.facts(plan))
        #expect(bill.amount == plan.price)
        let moved = RenewalRules.paid(owed, bill)
        #expect(moved.increase == nil && !moved.isRaised && moved.price == plan.price)
        // The same money is asked about on.
        let paid = RenewalRules.paid(owed, try Samples.dueBill(owed))
        #expect(paid.increase == asked.increase && !paid.isRaised)
    }

    @Test func `a raised price is kept until another product or purchase`() throws {
        let told = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(10_990), question: nil, try Samples.bought())
        let raised = try Samples.renewed(told)
        #expect(raised.isRaised && raised.price == Samples.money(10_990))
        #expect(try Samples.renewed(raised).isRaised)
        let bronze = try Samples.renewed(
            try SubscriptionChangeRules.choose(ProductID("bronze"), raised, at: raised.startedAt),
            Samples.facts(Samples.bronze))
        #expect(!bronze.isRaised)
        let again = SubscriptionChangeRules.bought(
            try Samples.dueBill(raised), as: TransactionID(9),
            known: RenewalRules.expired(raised, .voluntary), pace: .calendar)
        #expect(!again.isRaised)
    }

    @Test func `a product off sale is served for its whole grace period and ends with it`() throws {
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

    @Test func `no payment is tried after renewal was turned off`() throws {
        let active = try Samples.bought()
        for grace in [GracePeriod.sixteenDays, nil] {
            let owed = RenewalRules.unpaid(
                active, Samples.facts(grace: grace), at: active.expiresAt)
            let tried = RenewalInfo(owed)
            #expect(tried.isInBillingRetry == true && tried.expirationIntent == 2)
            let off = RenewalInfo(
                try SubscriptionChangeRules.setAutoRenew(false, owed, at: active.expiresAt))
            #expect(off.isInBillingRetry == false && off.expirationIntent == 1)
        }
    }
}
