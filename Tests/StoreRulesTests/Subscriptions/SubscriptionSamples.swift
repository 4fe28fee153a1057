import StoreModel
import StoreRules
import Testing

/// A group of three levels, and what happens in it.
enum Samples {
    static let usd = Currency(code: "USD").unsafelyUnwrapped
    static let start = day(2023, 1, 31)

    static func day(_ year: Int, _ month: Int, _ day: Int) -> Timestamp {
        Timestamp(seconds: Int64(CalendarDate.days(year: year, month: month, day: day)) * 86_400)
    }

    static func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, currency: usd) }

    static func plan(
        _ id: String = "silver", level: Int? = 2, _ period: RenewalPeriod = .month,
        _ milliunits: Int64 = 9_990
    ) -> SubscriptionPlan {
        SubscriptionPlan(
            product: ProductID(id), group: "fan", level: level, period: period,
            price: money(milliunits))
    }

    static let gold = plan("gold", level: 1, .month, 19_990)
    static let bronze = plan("bronze", level: 3, .month, 4_990)
    static let silverYear = plan("silver.year", level: 2, .year, 99_990)
    static let silverTwin = plan("silver.twin", level: 2, .month, 10_990)

    static func bought(
        _ plan: SubscriptionPlan = plan(), offer: SubscriptionOffer? = nil,
        at now: Timestamp = start, pace: RenewalPace = .calendar
    ) throws -> Subscription {
        let decision = SubscriptionPurchaseRules.decide(
            plan, offer: offer, subscription: nil, currentPlan: nil,
            history: OfferHistory(
                hasSubscribed: offer?.kind == .promotional || offer?.kind == .winBack,
                hadIntroduction: false), pace: pace, at: now)
        guard case .charge(let bill, nil) = decision else {
            throw Unexpected(what: "\(decision)")
        }
        return SubscriptionChangeRules.bought(
            bill, as: TransactionID(1), known: nil, pace: pace)
    }

    static func facts(
        _ plan: SubscriptionPlan? = plan(), pace: RenewalPace = .calendar,
        grace: GracePeriod? = nil
    ) -> RenewalFacts {
        RenewalFacts(plan: plan, pace: pace, gracePeriod: grace)
    }

    /// What happens when it is due and is paid for.
    static func renewed(
        _ subscription: Subscription, _ facts: RenewalFacts = facts()
    ) throws -> Subscription {
        let bill = try dueBill(subscription, facts)
        return RenewalRules.paid(subscription, bill)
    }

    static func dueBill(
        _ subscription: Subscription, _ facts: RenewalFacts = facts()
    ) throws -> SubscriptionBill {
        let due = try #require(subscription.dueAt)
        let decision = RenewalRules.due(subscription, facts, at: due)
        guard case .charge(let bill) = decision else { throw Unexpected(what: "\(decision)") }
        return bill
    }

    struct Unexpected: Error {
        let what: String
    }
}
