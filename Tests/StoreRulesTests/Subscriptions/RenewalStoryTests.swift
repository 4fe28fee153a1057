import StoreModel
import StoreRules
import Testing

/// Lives of subscriptions, period by period.
struct RenewalStoryTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) -> Timestamp {
        Samples.day(year, month, day)
    }

    /// The ends of a subscription's first periods, each paid when it is due.
    private func ends(_ subscription: Subscription, _ facts: RenewalFacts, count: Int) throws
        -> [Timestamp]
    {
        var current = subscription
        var ends = [current.expiresAt]
        while ends.count < count {
            let next = try Samples.renewed(current, facts)
            #expect(next.startedAt == current.expiresAt)
            current = next
            ends.append(current.expiresAt)
        }
        return ends
    }

    @Test func `a subscription of 31 January renews on the last days of short months`() throws {
        #expect(
            try ends(try Samples.bought(), Samples.facts(), count: 14) == [
                day(2023, 2, 28), day(2023, 3, 31), day(2023, 4, 30), day(2023, 5, 31),
                day(2023, 6, 30), day(2023, 7, 31), day(2023, 8, 31), day(2023, 9, 30),
                day(2023, 10, 31), day(2023, 11, 30), day(2023, 12, 31), day(2024, 1, 31),
                day(2024, 2, 29), day(2024, 3, 31),
            ])
    }

    @Test func `a yearly subscription of a leap day returns to it`() throws {
        let plan = Samples.silverYear
        let bought = try Samples.bought(plan, at: day(2024, 2, 29))
        #expect(
            try ends(bought, Samples.facts(plan), count: 4) == [
                day(2025, 2, 28), day(2026, 2, 28), day(2027, 2, 28), day(2028, 2, 29),
            ])
    }

    @Test func `weekly periods are seven days across a year's end`() throws {
        let plan = Samples.plan("weekly", .week, 990)
        let bought = try Samples.bought(plan, at: day(2023, 12, 20))
        #expect(
            try ends(bought, Samples.facts(plan), count: 3)
                == [day(2023, 12, 27), day(2024, 1, 3), day(2024, 1, 10)])
    }

    @Test func `periods of two, three and six months keep the day`() throws {
        for (period, last) in [
            (RenewalPeriod.twoMonths, day(2023, 8, 31)), (.threeMonths, day(2023, 11, 30)),
            (.sixMonths, day(2024, 8, 31)),
        ] {
            let plan = Samples.plan("long", period)
            let start = period == .twoMonths ? day(2022, 12, 31) : day(2022, 11, 30)
            let from = period == .sixMonths ? day(2022, 8, 31) : start
            let bought = try Samples.bought(plan, at: from)
            #expect(try ends(bought, Samples.facts(plan), count: 4)[3] == last)
        }
    }

    @Test func `a sandbox subscription renews twelve times in an hour and ends`() throws {
        let facts = Samples.facts(pace: .sandboxFiveMinutes)
        var current = try Samples.bought(pace: .sandboxFiveMinutes)
        for renewal in 1...12 {
            #expect(
                current.expiresAt
                    == Samples.start.adding(milliseconds: Int64(renewal) * 300_000))
            current = try Samples.renewed(current, facts)
        }
        #expect(RenewalRules.due(current, facts, at: current.expiresAt) == .expire(.voluntary))
    }

    @Test func `a sandbox subscription bought again renews twelve times again`() throws {
        let facts = Samples.facts(pace: .sandboxFiveMinutes)
        var current = try Samples.bought(pace: .sandboxFiveMinutes)
        for _ in 1...12 { current = try Samples.renewed(current, facts) }
        current = RenewalRules.expired(current, .voluntary)
        let decision = SubscriptionPurchaseRules.decide(
            Samples.plan(), offer: nil, subscription: current, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: false),
            pace: .sandboxFiveMinutes, at: current.expiresAt.adding(.days(3)))
        guard case .charge(let bill, nil) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        let again = SubscriptionChangeRules.bought(
            bill, as: TransactionID(99), known: current, pace: .calendar)
        #expect(again.original == TransactionID(1))
        #expect(again.renewalCount == 0 && again.isAutoRenewing && again.phase == .active)
    }

    // MARK: - Payments that fail

    @Test func `a payment in the grace period keeps the renewal date`() throws {
        let facts = Samples.facts(grace: .sixteenDays)
        let active = try Samples.bought()
        let grace = RenewalRules.unpaid(active, facts, at: active.expiresAt)
        #expect(grace.phase == .gracePeriod(until: day(2023, 3, 16)))
        #expect(grace.isServed && grace.dueAt == day(2023, 3, 1))
        let bill = try Samples.dueBill(grace, facts)
        #expect(bill.startsAt == day(2023, 2, 28) && bill.endsAt == day(2023, 3, 31))
        let recovered = RenewalRules.paid(grace, bill)
        #expect(recovered.phase == .active && recovered.retry == nil)
    }

    @Test func `a payment after the grace period begins a new period on that day`() throws {
        let facts = Samples.facts(grace: .threeDays)
        var current = try Samples.bought()
        current = RenewalRules.unpaid(current, facts, at: current.expiresAt)
        for _ in 0..<2 {
            current = RenewalRules.unpaid(current, facts, at: try #require(current.dueAt))
        }
        let end = try #require(current.dueAt)
        #expect(end == day(2023, 3, 3))
        #expect(RenewalRules.due(current, facts, at: end) == .endGracePeriod)
        current = RenewalRules.graceEnded(current)
        #expect(!current.isServed && current.isOpen)
        for _ in 0..<9 {
            current = RenewalRules.unpaid(current, facts, at: try #require(current.dueAt))
        }
        let bill = try Samples.dueBill(current, facts)
        #expect(bill.startsAt == day(2023, 3, 12), "\(CalendarDate(bill.startsAt).rfc3339)")
        current = RenewalRules.paid(current, bill)
        #expect(current.expiresAt == day(2023, 4, 12))
        #expect(try Samples.renewed(current, facts).expiresAt == day(2023, 5, 12))
    }

    @Test func `payment is retried for sixty days and no longer`() throws {
        let facts = Samples.facts()
        var current = try Samples.bought()
        current = RenewalRules.unpaid(current, facts, at: current.expiresAt)
        #expect(current.phase == .billingRetry)
        var tries = 0
        while case .charge = RenewalRules.due(current, facts, at: try #require(current.dueAt)) {
            current = RenewalRules.unpaid(current, facts, at: try #require(current.dueAt))
            tries += 1
            try #require(tries < 100)
        }
        let end = try #require(current.dueAt)
        #expect(end == day(2023, 2, 28).adding(.days(60)) && tries == 59)
        #expect(RenewalRules.due(current, facts, at: end) == .expire(.billingError))
    }

    // MARK: - Plans

    @Test func `an upgrade begins at once and refunds the rest`() throws {
        let active = try Samples.bought(at: day(2023, 3, 1))
        let now = day(2023, 3, 1).adding(.days(10))
        let decision = SubscriptionPurchaseRules.decide(
            Samples.gold, offer: nil, subscription: active, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: false), pace: .calendar,
            at: now)
        guard case .charge(let bill, let refund) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        #expect(bill.amount == Samples.money(19_990) && bill.startsAt == now)
        // 21 of 31 days of 9.99, rounded down.
        #expect(refund == Samples.money(6_770))
        let gold = SubscriptionChangeRules.bought(
            bill, as: TransactionID(2), known: active, pace: .calendar)
        #expect(gold.original == TransactionID(1) && gold.expiresAt == day(2023, 4, 11))
    }

    @Test func `a downgrade begins with the renewal on the same day`() throws {
        let active = try Samples.bought()
        let chosen = try SubscriptionChangeRules.choose(
            ProductID("bronze"), active, at: Samples.start)
        let next = try Samples.renewed(chosen, Samples.facts(Samples.bronze))
        #expect(next.product == ProductID("bronze") && next.price == Samples.money(4_990))
        #expect(next.startedAt == day(2023, 2, 28) && next.expiresAt == day(2023, 3, 31))
        #expect(next.nextProduct == nil)
    }

    @Test func `a yearly plan after monthly ones keeps their day`() throws {
        let active = try Samples.bought()
        let chosen = try SubscriptionChangeRules.choose(
            ProductID("silver.year"), active, at: Samples.start)
        let next = try Samples.renewed(chosen, Samples.facts(Samples.silverYear))
        #expect(next.expiresAt == day(2024, 2, 29))
    }

    @Test func `plans of two groups are independent`() throws {
        let other = SubscriptionPlan(
            product: ProductID("news"), group: "news", level: 1, period: .month,
            price: Samples.money(990))
        let decision = SubscriptionPurchaseRules.decide(
            other, offer: nil, subscription: try Samples.bought(), currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: false), pace: .calendar,
            at: Samples.start)
        #expect(decision == .refuse(.otherGroup))
    }

    // MARK: - Prices

    @Test func `an existing subscriber keeps the price from before a rise`() throws {
        let dearer = Samples.plan("silver", level: 2, .month, 14_990)
        let next = try Samples.renewed(try Samples.bought(), Samples.facts(dearer))
        #expect(next.price == Samples.money(9_990))
    }

    @Test func `an agreed price begins with the renewal`() throws {
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(14_990), question: 1, try Samples.bought())
        let agreed = try SubscriptionChangeRules.answer(.agreed, asked)
        let next = try Samples.renewed(agreed)
        #expect(next.price == Samples.money(14_990) && next.increase == nil)
        #expect(next.isRaised && !agreed.isRaised)
        #expect(try Samples.renewed(next).price == Samples.money(14_990))
        // The first answer stands.
        #expect(try SubscriptionChangeRules.answer(.declined, agreed) == agreed)
    }

    @Test func `a price without consent is not charged while payment is retried`() throws {
        let facts = Samples.facts(grace: .sixteenDays)
        let active = try Samples.bought()
        let grace = RenewalRules.unpaid(active, facts, at: active.expiresAt)
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(14_990), question: 1, grace)
        let bill = try Samples.dueBill(asked, facts)
        #expect(bill.amount == Samples.money(9_990))
        let paid = RenewalRules.paid(asked, bill)
        #expect(paid.increase?.consent == .pending && paid.price == Samples.money(9_990))
        #expect(RenewalRules.due(paid, facts, at: paid.expiresAt) == .expire(.noPriceConsent))
    }

    @Test func `a price question does not hold up a change to another product`() throws {
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(14_990), question: 1, try Samples.bought())
        let chosen = try SubscriptionChangeRules.choose(
            ProductID("bronze"), asked, at: Samples.start)
        let next = try Samples.renewed(chosen, Samples.facts(Samples.bronze))
        #expect(next.price == Samples.money(4_990) && next.increase == nil)
    }

    @Test func `a customer who declined and resumes is asked about the price again`() throws {
        let asked = try SubscriptionChangeRules.increasePrice(
            to: Samples.money(14_990), question: 1, try Samples.bought())
        let declined = try SubscriptionChangeRules.answer(.declined, asked)
        #expect(!declined.isAutoRenewing && declined.increase?.consent == .declined)
        let back = try SubscriptionChangeRules.setAutoRenew(true, declined, at: Samples.start)
        #expect(back.increase?.consent == .pending)
        let agreed = try SubscriptionChangeRules.answer(.agreed, back)
        #expect(try Samples.renewed(agreed).price == Samples.money(14_990))
    }

    @Test func `an extension lengthens the period and later months count from its end`() throws {
        let longer = try SubscriptionChangeRules.extend(byDays: 10, try Samples.bought())
        #expect(longer.expiresAt == day(2023, 3, 10))
        #expect(try Samples.renewed(longer).expiresAt == day(2023, 4, 10))
    }

    @Test func `a revocation that is undone serves the period to its end without renewal`() throws {
        let active = try Samples.bought()
        let back = SubscriptionChangeRules.reversed(
            SubscriptionChangeRules.revoked(active), at: day(2023, 2, 10))
        #expect(back.phase == .active && !back.isAutoRenewing)
        #expect(back.expiresAt == active.expiresAt)
        let late = SubscriptionChangeRules.reversed(
            SubscriptionChangeRules.revoked(active), at: day(2023, 3, 10))
        #expect(late.phase == .expired(.voluntary))
    }

    @Test(arguments: ExpirationReason.allCases)
    func `an ended subscription keeps its reason through a revocation and its reversal`(
        reason: ExpirationReason
    ) throws {
        let ended = RenewalRules.expired(try Samples.bought(), reason)
        let taken = SubscriptionChangeRules.revoked(ended)
        #expect(taken == ended)
        for now in [day(2023, 2, 10), day(2023, 3, 10)] {
            #expect(SubscriptionChangeRules.reversed(taken, at: now) == ended)
        }
    }
}
