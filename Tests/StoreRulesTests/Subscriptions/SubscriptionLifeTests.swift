import StoreModel
import StoreRules
import Testing

/// Lives made by chance, judged by what must hold of every life.
struct SubscriptionLifeTests {
    /// The same lives for the same seed, on every machine (SplitMix64).
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private struct Life {
        let pace: RenewalPace
        let grace: GracePeriod?
        var now: Timestamp
        var subscription: Subscription
        var bills: [SubscriptionBill]
        /// What ended a service before the next period began.
        var reasons: Set<ExpirationReason> = []
        var wasUnpaid = false
        var steps = 0
    }

    private static let plans = [
        Samples.gold, Samples.plan(), Samples.silverTwin, Samples.silverYear, Samples.bronze,
    ]

    private static func plan(of product: ProductID) -> SubscriptionPlan? {
        plans.first { $0.product == product }
    }

    private func history(_ life: Life) -> OfferHistory {
        OfferHistory(hasSubscribed: true, hadIntroduction: true)
    }

    private func begin(_ random: inout SeededGenerator) throws -> Life {
        let paces: [RenewalPace] = [
            .calendar, .calendar, .sandboxFiveMinutes, .oneRenewalEveryMinute, .oneMinuteIsOneDay,
        ]
        let pace = paces.randomElement(using: &random) ?? .calendar
        let plan = Self.plans.randomElement(using: &random) ?? Samples.plan()
        let start = Samples.start.adding(
            milliseconds: Int64.random(in: 0..<100_000_000_000, using: &random))
        let subscription = try Samples.bought(plan, at: start, pace: pace)
        let bill = SubscriptionBill(
            plan: plan, amount: plan.price, offer: nil, startsAt: start,
            endsAt: subscription.expiresAt, anchor: subscription.anchor)
        let grace = ([nil] + GracePeriod.allCases).randomElement(using: &random)
        return Life(
            pace: pace, grace: grace ?? nil, now: start, subscription: subscription, bills: [bill])
    }

    /// Something due happens, or a person does something in between.
    private func step(_ life: inout Life, _ random: inout SeededGenerator) throws {
        life.steps += 1
        if let due = life.subscription.dueAt, Int.random(in: 0..<3, using: &random) > 0 {
            #expect(due >= life.now, "what is due was left behind")
            life.now = due
            return try settle(&life, &random)
        }
        let until = life.subscription.dueAt ?? life.now.adding(.days(40))
        if until > life.now {
            life.now = Timestamp(
                milliseconds: Int64.random(
                    in: life.now.milliseconds..<until.milliseconds, using: &random))
        }
        try act(&life, &random)
    }

    private func settle(_ life: inout Life, _ random: inout SeededGenerator) throws {
        let product = life.subscription.nextProduct ?? life.subscription.product
        let isSold = Int.random(in: 0..<40, using: &random) > 0
        let facts = RenewalFacts(
            plan: isSold ? Self.plan(of: product) : nil, pace: life.pace, gracePeriod: life.grace)
        switch RenewalRules.due(life.subscription, facts, at: life.now) {
        case .nothing: Issue.record("\(life.subscription) is due and nothing comes of it")
        case .charge(let bill):
            let increase = life.subscription.increase.flatMap { $0.isAgreed ? $0.price : nil }
            let known = [life.subscription.price, increase, facts.plan?.price]
            #expect(known.contains(bill.amount), "a price that nobody knows is charged")
            if let asked = life.subscription.increase, !asked.isAgreed,
                bill.plan.product == life.subscription.product
            {
                #expect(bill.amount.milliunits <= life.subscription.price.milliunits)
                #expect(!life.subscription.isRaised || bill.amount == life.subscription.price)
            }
            if Int.random(in: 0..<4, using: &random) > 0 {
                life.subscription = RenewalRules.paid(life.subscription, bill)
                life.bills.append(bill)
            } else {
                life.subscription = RenewalRules.unpaid(life.subscription, facts, at: life.now)
                life.wasUnpaid = true
            }
        case .tryLater:
            life.subscription = RenewalRules.unpaid(life.subscription, facts, at: life.now)
        case .endGracePeriod: life.subscription = RenewalRules.graceEnded(life.subscription)
        case .expire(let reason):
            life.subscription = RenewalRules.expired(life.subscription, reason)
            life.reasons.insert(reason)
        }
    }

    private func act(_ life: inout Life, _ random: inout SeededGenerator) throws {
        let before = life.subscription
        do {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                life.subscription = try SubscriptionChangeRules.setAutoRenew(
                    Bool.random(using: &random), before, at: life.now)
            case 1:
                life.subscription = try SubscriptionChangeRules.choose(
                    Self.plans.randomElement(using: &random)?.product, before, at: life.now)
            case 2:
                life.subscription = try SubscriptionChangeRules.increasePrice(
                    to: Samples.money(before.price.milliunits + 1_000),
                    question: Bool.random(using: &random) ? 1 : nil, before)
            case 3:
                life.subscription = try SubscriptionChangeRules.answer(
                    Bool.random(using: &random) ? .agreed : .declined, before)
            case 4: life.subscription = try SubscriptionChangeRules.extend(byDays: 3, before)
            case 5 where Int.random(in: 0..<10, using: &random) == 0:
                life.subscription = SubscriptionChangeRules.revoked(before)
            default: try buy(&life, &random)
            }
        } catch is SubscriptionRefusal {
            #expect(life.subscription == before)
        }
    }

    private func buy(_ life: inout Life, _ random: inout SeededGenerator) throws {
        let plan = try #require(Self.plans.randomElement(using: &random))
        let decision = SubscriptionPurchaseRules.decide(
            plan, offer: nil, subscription: life.subscription,
            currentPlan: Self.plan(of: life.subscription.product), history: history(life),
            pace: life.pace, at: life.now)
        switch decision {
        case .charge(let bill, let refund):
            if let refund {
                #expect((0...life.subscription.price.milliunits).contains(refund.milliunits))
            }
            life.subscription = SubscriptionChangeRules.bought(
                bill, as: TransactionID(1), known: life.subscription, pace: life.pace)
            life.bills.append(bill)
        case .atRenewal(let product, let offer):
            life.subscription = try SubscriptionChangeRules.choose(
                product, offer: offer, life.subscription, at: life.now)
        case .goesOn:
            life.subscription = try SubscriptionChangeRules.choose(
                nil, life.subscription, at: life.now)
        case .refuse(let refusal): #expect(refusal == .alreadySubscribed)
        }
    }

    private func judge(_ life: Life) {
        let subscription = life.subscription
        #expect(subscription.original == TransactionID(1))
        #expect(subscription.startedAt < subscription.expiresAt)
        #expect((subscription.dueAt == nil) == !subscription.isOpen)
        let isUnpaid = subscription.isOpen && subscription.phase != .active
        #expect((subscription.retry != nil) == isUnpaid)
        if let most = life.pace.renewalsMax { #expect(subscription.renewalCount <= most) }
        #expect(subscription.runStartedAt <= subscription.startedAt)
        if let newest = life.bills.last {
            #expect(newest.startsAt == subscription.startedAt)
            #expect(newest.endsAt <= subscription.expiresAt)
        }
    }

    @Test(arguments: 0..<500)
    func `over a random life no period is charged twice or left out without a reason`(seed: Int)
        throws
    {
        var random = SeededGenerator(state: UInt64(seed))
        var life = try begin(&random)
        while life.steps < 200 {
            let billsBefore = life.bills.count
            let before = life.subscription
            try step(&life, &random)
            judge(life)
            guard life.bills.count > billsBefore, let bill = life.bills.last else { continue }
            #expect(bill.startsAt < bill.endsAt)
            switch before.phase {
            // A renewal follows without a gap; what is bought by hand begins when it is.
            case .active: #expect(bill.startsAt == before.expiresAt || bill.startsAt == life.now)
            case .gracePeriod:
                #expect(bill.startsAt == before.expiresAt || bill.startsAt == life.now)
                #expect(life.wasUnpaid)
            case .billingRetry:
                #expect(bill.startsAt == life.now && life.wasUnpaid)
            case .expired(let reason):
                #expect(bill.startsAt == life.now && life.reasons.contains(reason))
            case .revoked: #expect(bill.startsAt == life.now)
            }
            #expect(bill.startsAt >= before.startedAt)
        }
    }
}
