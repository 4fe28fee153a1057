import StoreModel
import StoreRules
import Testing

/// When the present run of a subscription's periods began.
struct SubscriptionRunTests {
    /// Bought again so long after its end.
    private func again(
        after milliseconds: Int64, _ current: Subscription, pace: RenewalPace = .calendar
    ) throws -> Subscription {
        let decision = SubscriptionPurchaseRules.decide(
            Samples.plan(), offer: nil, subscription: current, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: false), pace: pace,
            at: current.expiresAt.adding(milliseconds: milliseconds))
        guard case .charge(let bill, _) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        return SubscriptionChangeRules.bought(
            bill, as: TransactionID(9), known: current, pace: pace)
    }

    @Test func `renewals and recoveries belong to the run`() throws {
        var current = try Samples.bought()
        #expect(current.runStartedAt == Samples.start)
        current = try Samples.renewed(current)
        #expect(current.runStartedAt == Samples.start)
        let facts = Samples.facts()
        var owed = RenewalRules.unpaid(current, facts, at: current.expiresAt)
        owed.retry?.nextAt = owed.expiresAt.adding(.days(59))
        let late = RenewalRules.due(owed, facts, at: owed.expiresAt.adding(.days(59)))
        guard case .charge(let bill) = late else { throw Samples.Unexpected(what: "\(late)") }
        #expect(RenewalRules.paid(owed, bill).runStartedAt == Samples.start)
    }

    @Test func `a gap of sixty days belongs to the run and a longer one ends it`() throws {
        let ended = RenewalRules.expired(try Samples.bought(), .voluntary)
        let days60 = 60 * Timestamp.dayMilliseconds
        #expect(try again(after: days60, ended).runStartedAt == Samples.start)
        let later = try again(after: days60 + 1, ended)
        #expect(later.runStartedAt == later.startedAt && later.original == ended.original)
    }

    @Test func `in the sandbox the gap is ten minutes`() throws {
        let ended = RenewalRules.expired(
            try Samples.bought(pace: .sandboxFiveMinutes), .voluntary)
        let minutes: Int64 = 600_000
        let soon = try again(after: minutes, ended, pace: .sandboxFiveMinutes)
        #expect(soon.runStartedAt == Samples.start)
        let later = try again(after: minutes + 1, ended, pace: .sandboxFiveMinutes)
        #expect(later.runStartedAt == later.startedAt)
    }

    @Test(arguments: [
        (SubscriptionOffer.PaymentMode.freeTrial, "P2W"), (.payUpFront, "P2W"),
        (.payAsYouGo, "P1W"),
    ])
    func `an offer lasts as long as one payment of it`(
        mode: SubscriptionOffer.PaymentMode, text: String
    ) {
        let offer = SubscriptionOffer(
            kind: .introductory, id: nil, mode: mode, span: .days(7), periodCount: 2,
            price: .free)
        #expect(offer.duration.iso8601 == text)
    }
}
