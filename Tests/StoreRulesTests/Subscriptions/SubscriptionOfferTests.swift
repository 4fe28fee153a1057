import StoreModel
import StoreRules
import Testing

/// What offers change in the beginning of a subscription.
struct SubscriptionOfferTests {
    static func offer(
        _ mode: SubscriptionOffer.PaymentMode, _ span: CalendarSpan, count: Int = 1,
        _ milliunits: Int64 = 0, kind: SubscriptionOffer.Kind = .introductory,
        customers: Set<SubscriptionOffer.Customer> = []
    ) throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, id: kind == .introductory ? nil : "spring", mode: mode, span: span,
            periodCount: count, price: try #require(Price(milliunits: milliunits)),
            customers: customers)
    }

    private static func periods(
        _ subscription: Subscription, count: Int
    ) throws -> [(charged: Int64, ends: Timestamp, offer: Bool)] {
        var current = subscription
        var found: [(Int64, Timestamp, Bool)] = []
        for _ in 0..<count {
            let bill = try Samples.dueBill(current)
            current = RenewalRules.paid(current, bill)
            found.append((bill.amount.milliunits, current.expiresAt, current.offer != nil))
        }
        return found
    }

    @Test func `a free week is followed by months`() throws {
        let trial = try Self.offer(.freeTrial, .days(7))
        let bought = try Samples.bought(offer: trial)
        #expect(bought.expiresAt == Samples.day(2023, 2, 7))
        #expect(bought.offer?.mode == .freeTrial && bought.offer?.price.milliunits == 0)
        let after = try Self.periods(bought, count: 2)
        #expect(after.map(\.charged) == [9_990, 9_990])
        #expect(after.map(\.ends) == [Samples.day(2023, 3, 7), Samples.day(2023, 4, 7)])
        #expect(after.allSatisfy { !$0.offer })
    }

    @Test func `three discounted months are each charged by themselves`() throws {
        let cheap = try Self.offer(.payAsYouGo, .months(1), count: 3, 1_990)
        let bought = try Samples.bought(offer: cheap)
        #expect(bought.offer?.price == Samples.money(1_990) && bought.offer?.periodsLeft == 2)
        let after = try Self.periods(bought, count: 3)
        #expect(after.map(\.charged) == [1_990, 1_990, 9_990])
        #expect(after.map(\.offer) == [true, true, false])
    }

    @Test func `an offer of six months paid up front is charged at once`() throws {
        let bought = try Samples.bought(offer: try Self.offer(.payUpFront, .months(6), 29_990))
        #expect(bought.expiresAt == Samples.day(2023, 7, 31))
        #expect(bought.offer?.price == Samples.money(29_990))
        let after = try Self.periods(bought, count: 1)
        #expect(after.map(\.charged) == [9_990])
        #expect(after.map(\.ends) == [Samples.day(2023, 8, 31)])
    }

    @Test func `an offer ends when another product is chosen`() throws {
        let cheap = try Self.offer(.payAsYouGo, .months(1), count: 3, 1_990)
        let chosen = try SubscriptionChangeRules.choose(
            ProductID("bronze"), try Samples.bought(offer: cheap), at: Samples.start)
        let next = try Samples.renewed(chosen, Samples.facts(Samples.bronze))
        #expect(next.offer == nil && next.price == Samples.money(4_990))
    }

    @Test func `an offer for the product chosen at renewal begins with it`() throws {
        let spring = try Self.offer(.payAsYouGo, .months(1), count: 2, 990, kind: .promotional)
        for plan in [Samples.bronze, Samples.plan()] {
            let active = try Samples.bought()
            let decision = SubscriptionPurchaseRules.decide(
                plan, offer: spring, subscription: active, currentPlan: Samples.plan(),
                history: OfferHistory(hasSubscribed: true, hadIntroduction: true),
                pace: .calendar, at: Samples.day(2023, 2, 10))
            #expect(decision == .atRenewal(plan.product, spring))
            var current = try SubscriptionChangeRules.choose(
                plan.product, offer: spring, active, at: Samples.day(2023, 2, 10))
            var charged: [Int64] = []
            for _ in 0..<3 {
                let bill = try Samples.dueBill(current, Samples.facts(plan))
                charged.append(bill.amount.milliunits)
                current = RenewalRules.paid(current, bill)
            }
            #expect(charged == [990, 990, plan.price.milliunits])
            #expect(current.expiresAt == Samples.day(2023, 5, 31))
        }
    }

    @Test func `a free trial refunds nothing`() throws {
        let trial = try Samples.bought(offer: try Self.offer(.freeTrial, .days(7)))
        let decision = SubscriptionPurchaseRules.decide(
            Samples.gold, offer: nil, subscription: trial, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: true), pace: .calendar,
            at: Samples.start)
        guard case .charge(_, let refund) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        #expect(refund == Samples.money(0))
    }

    struct Row: Sendable {
        let kind: SubscriptionOffer.Kind
        let hasSubscribed: Bool
        let hadIntroduction: Bool
        let isOpen: Bool
        var customers: Set<SubscriptionOffer.Customer> = []
        let isEligible: Bool

        init(
            _ kind: SubscriptionOffer.Kind, subscribed: Bool, introduced: Bool = false,
            open: Bool = false, for customers: Set<SubscriptionOffer.Customer> = [],
            _ isEligible: Bool
        ) {
            self.kind = kind
            hasSubscribed = subscribed
            hadIntroduction = introduced
            isOpen = open
            self.customers = customers
            self.isEligible = isEligible
        }
    }

    static let eligibility = [
        Row(.introductory, subscribed: false, true),
        Row(.introductory, subscribed: true, true),
        Row(.introductory, subscribed: true, introduced: true, false),
        Row(.promotional, subscribed: false, false),
        Row(.promotional, subscribed: true, true),
        Row(.promotional, subscribed: true, open: true, true),
        Row(.code, subscribed: false, for: [.new], true),
        Row(.code, subscribed: false, for: [.existing, .expired], false),
        Row(.code, subscribed: true, open: true, for: [.existing], true),
        Row(.code, subscribed: true, open: true, for: [.new, .expired], false),
        Row(.code, subscribed: true, for: [.expired], true),
        Row(.code, subscribed: true, for: [.new, .existing], false),
        Row(.winBack, subscribed: false, false),
        Row(.winBack, subscribed: true, true),
        Row(.winBack, subscribed: true, open: true, false),
    ]

    @Test(arguments: eligibility) func `offer eligibility follows the customer's history`(row: Row)
        throws
    {
        let known: Subscription? =
            row.isOpen
            ? try Samples.bought()
            : row.hasSubscribed ? RenewalRules.expired(try Samples.bought(), .voluntary) : nil
        let decision = SubscriptionPurchaseRules.decide(
            Samples.gold,
            offer: try Self.offer(.freeTrial, .days(7), kind: row.kind, customers: row.customers),
            subscription: known, currentPlan: known == nil ? nil : Samples.plan(),
            history: OfferHistory(
                hasSubscribed: row.hasSubscribed, hadIntroduction: row.hadIntroduction),
            pace: .calendar, at: Samples.day(2023, 2, 10))
        #expect((decision != .refuse(.notEligible)) == row.isEligible)
    }

    @Test func `an introductory offer applies by itself, once per group`() throws {
        let offers = [
            try Self.offer(.freeTrial, .days(7), kind: .promotional),
            try Self.offer(.freeTrial, .days(3)),
        ]
        let first = OfferHistory(hasSubscribed: false, hadIntroduction: false)
        let again = OfferHistory(hasSubscribed: true, hadIntroduction: true)
        #expect(SubscriptionPurchaseRules.introduction(of: offers, first) == offers[1])
        #expect(SubscriptionPurchaseRules.introduction(of: offers, again) == nil)
        #expect(SubscriptionPurchaseRules.introduction(of: [offers[0]], first) == nil)
    }
}
