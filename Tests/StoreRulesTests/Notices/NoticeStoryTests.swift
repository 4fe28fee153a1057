import StoreModel
import StoreRules
import Testing

/// Apple's typical sequences of version 2, out of the rules that decide each step.
struct NoticeStoryTests {
    /// A subscription on its way, with the notifications so far.
    private struct Story {
        var state: Subscription
        var texts: [String] = []

        init(_ state: Subscription) {
            self.state = state
            note(.subscribed(SubscriptionTransition(from: nil, to: state)))
        }

        mutating func note(_ happening: Happening) {
            texts += Notices.v2(of: happening).map(\.text)
        }

        /// Takes a step, and notes what it is.
        mutating func step(
            to next: Subscription, as happening: (SubscriptionTransition) -> Happening
        ) {
            note(happening(SubscriptionTransition(from: state, to: next)))
            state = next
        }

        mutating func renew(_ facts: RenewalFacts = Samples.facts()) throws {
            step(to: try Samples.renewed(state, facts), as: Happening.renewed)
        }

        mutating func fail(grace: GracePeriod? = nil) throws {
            let due = try #require(state.dueAt)
            step(
                to: RenewalRules.unpaid(state, Samples.facts(grace: grace), at: due),
                as: Happening.renewalFailed)
        }

        /// The end that is due, for the reason that the rules give.
        mutating func end(at moment: Timestamp? = nil) throws {
            let due = try #require(moment ?? state.dueAt)
            guard case .expire(let reason) = RenewalRules.due(state, Samples.facts(), at: due)
            else { throw Samples.Unexpected(what: "\(state.phase)") }
            step(to: RenewalRules.expired(state, reason)) { .expired(reason, $0) }
        }

        mutating func turnOff() throws {
            step(
                to: try SubscriptionChangeRules.setAutoRenew(false, state, at: state.startedAt),
                as: Happening.renewalChanged)
        }
    }

    @Test func `renewals, a cancellation and an end are four kinds of notifications`() throws {
        var story = Story(try Samples.bought())
        for _ in 0..<2 { try story.renew() }
        try story.turnOff()
        try story.end()
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
            ])
    }

    @Test func `a payment that fails and succeeds in the grace period is a recovery`() throws {
        var story = Story(try Samples.bought())
        try story.fail(grace: .sixteenDays)
        try story.renew(Samples.facts(grace: .sixteenDays))
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "DID_RENEW/BILLING_RECOVERY",
            ])
    }

    @Test func `a payment that never succeeds ends the grace period, then the retries`() throws {
        var story = Story(try Samples.bought())
        try story.fail(grace: .sixteenDays)
        story.step(to: RenewalRules.graceEnded(story.state), as: Happening.gracePeriodEnded)
        try story.end(at: try #require(story.state.retry?.endsAt))
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
                "EXPIRED/BILLING_RETRY",
            ])
    }

    @Test func `an upgrade is one notification`() throws {
        var story = Story(try Samples.bought())
        let now = Samples.day(2023, 2, 10)
        let decision = SubscriptionPurchaseRules.decide(
            Samples.gold, offer: nil, subscription: story.state, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: true), pace: .calendar,
            at: now)
        guard case .charge(let bill, .some) = decision else {
            throw Samples.Unexpected(what: "\(decision)")
        }
        story.step(
            to: SubscriptionChangeRules.bought(
                bill, as: TransactionID(1), known: story.state, pace: .calendar),
            as: Happening.subscribed)
        #expect(story.texts == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
    }

    @Test func `a downgrade is notified when it is chosen, and renews as usual`() throws {
        var story = Story(try Samples.bought())
        story.step(
            to: try SubscriptionChangeRules.choose(
                Samples.bronze.product, story.state, at: Samples.day(2023, 2, 10)),
            as: Happening.renewalChanged)
        try story.renew(Samples.facts(Samples.bronze))
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_RENEW",
            ])
    }

    @Test func `a refund of a subscription is preceded by the end of its renewal`() throws {
        var story = Story(try Samples.bought())
        try story.turnOff()
        story.note(.refundRequested(.other))
        story.step(to: SubscriptionChangeRules.revoked(story.state)) {
            .refunded(.autoRenewable, standsFor: nil, $0)
        }
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "CONSUMPTION_REQUEST", "REFUND",
            ])
    }

    @Test func `a price without consent ends the subscription for that reason`() throws {
        var story = Story(try Samples.bought())
        story.step(
            to: try SubscriptionChangeRules.increasePrice(
                to: Samples.money(12_990), question: 1, story.state),
            as: Happening.priceIncreased)
        try story.end()
        #expect(
            story.texts == [
                "SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE",
            ])
    }
}
