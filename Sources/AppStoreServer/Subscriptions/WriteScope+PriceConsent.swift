import StoreDatabase
import StoreModel
import StoreRules
import StoreService

extension WriteScope {
    /// Takes an answer to a question about a price: once, and the same again is no other. 409 when
    /// the other one was given before. What was due of the subscription is settled before, so that
    /// the answer holds from now on.
    borrowing func take(
        _ answer: PriceConsent.Answer, to number: Int64, in environment: StoreEnvironment,
        time: WorldTime
    ) throws {
        let asked = try reading { try $0.priceConsent(number) }
        guard let asked else { throw Refusal.priceConsentUnknown }
        guard case .take = PriceConsentRules.answering(asked, with: answer) else {
            return try refuse(answer, to: asked)
        }
        var kept = try settledSubscription(of: asked, time: time)
        // It may have ended with the subscription.
        let consent = try reading { try $0.priceConsent(number) ?? asked }
        guard case .take = PriceConsentRules.answering(consent, with: answer) else {
            return try refuse(answer, to: consent)
        }
        let now = time.recordNow()
        try self.answer(consent, answer, at: now)
        if kept?.state.increase?.price != consent.newPrice { kept = nil }
        if let kept { try tell(answer, kept, at: now) }
        try addEvent(
            .priceConsent, for: consent.account, in: consent.app, environment,
            subject: "\(number)", at: now)
    }

    /// What becomes of an answer that is not taken: nothing when it is known already.
    private borrowing func refuse(_ answer: PriceConsent.Answer, to consent: PriceConsent) throws {
        let number = consent.number
        switch PriceConsentRules.answering(consent, with: answer) {
        case .answerKnown, .take: return
        case .stands(let known):
            throw Refusal(
                409, "priceConsentAnswered",
                "Question \(number) was \(known.rawValue) already, and that stands.")
        case .withdrawn:
            throw Refusal(
                409, "priceConsentWithdrawn",
                "Question \(number) was withdrawn: the subscription that it was about ended, or "
                    + "became another.")
        }
    }

    /// The subscription that was asked about a price; nil when there is none any more.
    private borrowing func settledSubscription(
        of consent: PriceConsent, time: WorldTime
    ) throws -> SubscriptionRecord? {
        let known = try reading { scope in
            try scope.subscriptions(of: consent.account, in: consent.app).first {
                $0.state.product == consent.product && $0.state.isOpen
            }
        }
        guard let known else { return nil }
        let kept = try Settlement.settled(known, until: time.now(), time: time, self)
        guard kept.payment == nil else { throw Refusal.paymentOpen }
        return kept.state.isOpen ? kept : nil
    }

    /// A subscription that was asked about this very price goes by the answer.
    private borrowing func tell(
        _ answer: PriceConsent.Answer, _ asked: SubscriptionRecord, at now: Timestamp
    ) throws {
        var kept = asked
        kept.state = try SubscriptionChangeRules.answer(answer, kept.state)
        try save(kept)
        guard asked.state.isAutoRenewing, !kept.state.isAutoRenewing else { return }
        try addEvent(
            .renewalChanged, for: kept.account, in: kept.app, kept.environment,
            transaction: kept.newest, at: now)
    }
}

extension Refusal {
    static let priceConsentUnknown = Refusal(
        404, "priceConsentUnknown", "There is no question about a price of that number.")
}

extension WriteScope {
    /// Takes back the question about a higher price that a subscription does not come to any more:
    /// it ended, or another product took its place. Does nothing when none waits.
    borrowing func withdrawQuestion(
        about before: Subscription, after kept: SubscriptionRecord, at now: Timestamp
    ) throws {
        guard let increase = before.increase, increase.consent == .pending,
            kept.state.increase == nil
        else { return }
        let pending = try reading { try $0.pendingPriceConsents(of: kept.account, in: kept.app) }
        let asked = pending.first {
            $0.product == before.product && $0.newPrice == increase.price
        }
        guard let asked else { return }
        try withdraw(asked, at: now)
        try addEvent(
            .priceConsent, for: kept.account, in: kept.app, kept.environment,
            subject: "\(asked.number)", at: now)
    }

    /// Who declined a price and goes on after all is asked once more.
    borrowing func askAgain(
        _ kept: SubscriptionRecord, after before: SubscriptionRecord, at now: Timestamp
    ) throws {
        guard before.state.increase?.consent == .declined, let increase = kept.state.increase,
            increase.consent == .pending
        else { return }
        let consent = try addPriceConsent(
            of: kept.account, in: kept.app, to: kept.state.product, old: kept.state.price,
            new: increase.price, at: now)
        try addEvent(
            .priceConsent, for: kept.account, in: kept.app, kept.environment,
            subject: "\(consent.number)", at: now)
    }
}
