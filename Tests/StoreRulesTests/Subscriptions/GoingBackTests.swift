import StoreModel
import StoreRules
import Testing

/// Subscriptions whose newest periods were deleted: each goes back to what it was.
struct GoingBackTests {
    enum Step: Sendable {
        case renew
        /// Another product that begins at once, so many days after the period's start.
        case upgrade(days: Int)
        case extend(days: Int)
        /// It expires, and is bought again so many days after its end.
        case again(days: Int)
        /// The renewal is paid so many days late.
        case late(days: Int)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var plan = Samples.plan()
        var offer: SubscriptionOffer?
        var pace = RenewalPace.calendar
        let steps: [Step]
    }

    private static let trial = SubscriptionOffer(
        kind: .introductory, id: nil, mode: .freeTrial, span: .days(7), periodCount: 2,
        price: .free)

    static let rows: [Row] = [
        Row(testDescription: "renewals from the 31st", steps: [.renew, .renew, .renew]),
        Row(testDescription: "an upgrade", steps: [.renew, .renew, .upgrade(days: 3), .renew]),
        Row(
            testDescription: "a year, then a month",
            plan: Samples.plan("silver", level: 2, .year),
            steps: [.renew, .upgrade(days: 40), .renew]),
        Row(testDescription: "a trial", offer: trial, steps: [.renew, .renew, .upgrade(days: 9)]),
        Row(testDescription: "a gap within a run", steps: [.renew, .again(days: 60), .renew]),
        Row(
            testDescription: "runs after gaps",
            steps: [.renew, .again(days: 61), .renew, .again(days: 200), .renew]),
        Row(testDescription: "a late payment", steps: [.renew, .late(days: 5), .renew]),
        Row(
            testDescription: "an extension",
            steps: [.renew, .extend(days: 9), .renew, .upgrade(days: 1)]),
        Row(
            testDescription: "shortened time", pace: .sandboxFiveMinutes,
            steps: [.renew, .upgrade(days: 0), .renew, .again(days: 1), .renew]),
    ]

    @Test(arguments: rows)
    func `a subscription counts months, renewals and its run as it did in the period`(
        row: Row
    ) throws {
        let life = try Self.live(row)
        let last = try #require(life.last)
        for (place, lived) in life.enumerated() {
            var wanted = lived.state
            wanted.offer = nil
            let back = SubscriptionChangeRules.goneBack(
                last.state, to: lived.period, after: life[..<place].map(\.period),
                price: lived.state.price, isRevoked: false, pace: row.pace,
                at: lived.state.startedAt)
            #expect(back == wanted, "period \(place)")
        }
    }

    @Test(arguments: [
        (false, -1, Subscription.Phase.active, true), (false, 0, .expired(.other), false),
        (true, -1, .revoked, false), (true, 0, .revoked, false),
    ])
    func `a subscription is active while the period lasts, unless that was revoked`(
        isRevoked: Bool, milliseconds: Int64, phase: Subscription.Phase, renews: Bool
    ) throws {
        let row = Row(testDescription: "", steps: [.upgrade(days: 3)])
        let life = try Self.live(row)
        let first = try #require(life.first)
        let last = try #require(life.last)
        let back = SubscriptionChangeRules.goneBack(
            last.state, to: first.period, after: [], price: first.state.price,
            isRevoked: isRevoked, pace: .calendar,
            at: first.period.expiresAt.adding(milliseconds: milliseconds))
        #expect(back.phase == phase && back.isAutoRenewing == renews)
    }

    @Test func `a period whose renewal was off stays without renewal`() throws {
        let life = try Self.live(Row(testDescription: "", steps: [.upgrade(days: 3)]))
        let first = try #require(life.first)
        let off = try SubscriptionChangeRules.setAutoRenew(
            false, try #require(life.last).state, at: first.period.startedAt)
        let back = SubscriptionChangeRules.goneBack(
            off, to: first.period, after: [], price: first.state.price, isRevoked: false,
            pace: .calendar, at: first.period.startedAt)
        #expect(back.phase == .active && !back.isAutoRenewing)
    }

    // MARK: -

    private struct Lived {
        var state: Subscription
        let isRenewal: Bool
        let offerDuration: CalendarSpan?

        var period: SubscriptionChangeRules.Period {
            SubscriptionChangeRules.Period(
                product: state.product, period: state.period, startedAt: state.startedAt,
                expiresAt: state.expiresAt, isRenewal: isRenewal, offerDuration: offerDuration)
        }
    }

    /// The state at the beginning of each period.
    private static func live(_ row: Row) throws -> [Lived] {
        var plan = row.plan
        var current = try Samples.bought(plan, offer: row.offer, pace: row.pace)
        var life = [
            Lived(state: current, isRenewal: false, offerDuration: row.offer?.duration)
        ]
        for step in row.steps {
            let facts = Samples.facts(plan, pace: row.pace)
            var isRenewal = true
            switch step {
            case .renew: current = try Samples.renewed(current, facts)
            case .upgrade(let days):
                let higher = Samples.gold
                let bill = try bill(
                    higher, current, plan, at: current.startedAt.adding(.days(days)), row.pace)
                current = SubscriptionChangeRules.bought(
                    bill, as: TransactionID(9), known: current, pace: row.pace)
                (plan, isRenewal) = (higher, false)
            case .extend(let days):
                current = try SubscriptionChangeRules.extend(byDays: days, current)
                life[life.count - 1].state = current
                continue
            case .again(let days):
                let ended = RenewalRules.expired(current, .voluntary)
                let bill = try bill(
                    plan, ended, plan, at: current.expiresAt.adding(.days(days)), row.pace)
                current = SubscriptionChangeRules.bought(
                    bill, as: TransactionID(9), known: ended, pace: row.pace)
                isRenewal = false
            case .late(let days):
                let moment = current.expiresAt.adding(.days(days))
                var owed = RenewalRules.unpaid(current, facts, at: current.expiresAt)
                owed.retry?.nextAt = moment
                guard case .charge(let bill) = RenewalRules.due(owed, facts, at: moment) else {
                    throw Samples.Unexpected(what: "nothing is due")
                }
                current = RenewalRules.paid(owed, bill)
            }
            life.append(Lived(state: current, isRenewal: isRenewal, offerDuration: nil))
        }
        return life
    }

    private static func bill(
        _ plan: SubscriptionPlan, _ current: Subscription, _ currentPlan: SubscriptionPlan,
        at moment: Timestamp, _ pace: RenewalPace
    ) throws -> SubscriptionBill {
        let decision = SubscriptionPurchaseRules.decide(
            plan, offer: nil, subscription: current, currentPlan: currentPlan,
            history: OfferHistory(hasSubscribed: true, hadIntroduction: true), pace: pace,
            at: moment)
        guard case .charge(let bill, _) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        return bill
    }
}
