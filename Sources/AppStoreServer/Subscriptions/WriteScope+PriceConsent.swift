import StoreDatabase
import StoreModel
import StoreRules
import StoreService

extension WriteScope {
    /// Takes an answer to a price question; the same answer again changes nothing, and the other one
    /// is refused with 409. The subscription's due renewals are settled first, so that the answer
    /// applies from now on.
    borrowing func take(
        _ answer: PriceConsent.Answer, to number: Int64, in environment: StoreEnvironment,
        time: WorldTime
    ) throws {
        let asked = try reading.priceConsent(number)
        guard let asked else { throw Refusal.priceConsentUnknown }
        guard case .take = PriceConsentRules.answering(asked, with: answer) else {
            return try refuse(answer, to: asked)
        }
        let kept = try settledSubscription(askedBy: asked, time: time)
        // Settling may have ended the subscription, and the question with it.
        let consent = try reading.priceConsent(number) ?? asked
        guard case .take = PriceConsentRules.answering(consent, with: answer) else {
            return try refuse(answer, to: consent)
        }
        let now = time.recordNow()
        try self.answer(consent, answer, at: now)
        var change: SubscriptionTransition?
        if let kept { change = try apply(answer, to: kept, at: now) }
        try record(
            .priceAnswered(question: number, answer, change), for: consent.account,
            in: consent.app, environment, at: now)
    }

    /// Refuses an answer that is not taken, unless it is the known one.
    private borrowing func refuse(_ answer: PriceConsent.Answer, to consent: PriceConsent) throws {
        let number = consent.number
        switch PriceConsentRules.answering(consent, with: answer) {
        case .answerKnown, .take: return
        case .stands(let known):
            throw Refusal(
                409, "priceConsentAnswered",
                "Question \(number) was \(known.rawValue) before; the first answer stands.")
        case .withdrawn:
            throw Refusal(
                409, "priceConsentWithdrawn",
                "Question \(number) was withdrawn, because its subscription ended or changed its "
                    + "product.")
        }
    }

    /// The subscription whose higher price a question asks about, settled until now; nil when the
    /// question was asked without one, or the subscription no longer waits for it.
    private borrowing func settledSubscription(
        askedBy consent: PriceConsent, time: WorldTime
    ) throws -> SubscriptionRecord? {
        func isAsked(_ kept: SubscriptionRecord) -> Bool {
            kept.state.isOpen && kept.state.increase?.question == consent.number
        }
        let known = try reading.subscriptions(of: consent.account, in: consent.app).first(
            where: isAsked)
        guard let known else { return nil }
        let kept = try Settlement.settled(known, until: time.now(), time: time, self)
        guard kept.payment == nil else { throw Refusal.paymentOpen }
        return isAsked(kept) ? kept : nil
    }

    private borrowing func apply(
        _ answer: PriceConsent.Answer, to asked: SubscriptionRecord, at now: Timestamp
    ) throws -> SubscriptionTransition {
        var kept = asked
        kept.state = try SubscriptionChangeRules.answer(answer, kept.state)
        try save(kept)
        let change = kept.changed(from: asked.state)
        if change.turnedRenewal == false {
            try record(.renewalChanged(change), of: kept, at: now)
        }
        return change
    }
}

extension Refusal {
    static let priceConsentUnknown = Refusal(
        404, "priceConsentUnknown", "There is no price question with that number.")
}

extension WriteScope {
    /// Withdraws the question about a higher price that a subscription no longer comes to: it ended,
    /// or another product took its place. Does nothing when none waits.
    borrowing func withdrawQuestion(
        about before: Subscription, after kept: SubscriptionRecord, at now: Timestamp
    ) throws {
        guard let increase = before.increase, increase.consent == .pending,
            let question = increase.question, kept.state.increase == nil
        else { return }
        try withdraw(question, of: kept, at: now)
    }

    /// Asks whoever declined a price and resumes all the same once more.
    borrowing func askAgain(
        _ kept: inout SubscriptionRecord, after before: SubscriptionRecord, at now: Timestamp
    ) throws {
        guard before.state.increase?.consent == .declined, let increase = kept.state.increase,
            increase.consent == .pending
        else { return }
        let question = try askOnce(kept, about: increase.price, at: now)
        kept.state.increase?.question = question
    }

    /// Asks about a price unless that already waits for an answer. A question about another price of
    /// the product, which the owner asked meanwhile, gives way.
    private borrowing func askOnce(
        _ kept: SubscriptionRecord, about price: Money, at now: Timestamp
    ) throws -> Int64 {
        let waiting = try reading.pendingPriceConsents(of: kept.account, in: kept.app)
            .first { $0.product == kept.state.product }
        if let waiting {
            if waiting.newPrice == price { return waiting.number }
            try withdraw(waiting.number, of: kept, at: now)
        }
        return try ask(kept, about: price, at: now)
    }

    /// Asks the customer to agree to a higher price, and gives the question's number.
    borrowing func ask(
        _ kept: SubscriptionRecord, about price: Money, at now: Timestamp
    ) throws -> Int64 {
        let question = try addPriceConsent(
            of: kept.account, in: kept.app, to: kept.state.product, old: kept.state.price,
            new: price, at: now
        ).number
        try record(
            .priceAsked(question: question), for: kept.account, in: kept.app, kept.environment,
            at: now)
        return question
    }

    private borrowing func withdraw(
        _ question: Int64, of kept: SubscriptionRecord, at now: Timestamp
    ) throws {
        try withdrawPriceConsent(question, at: now)
        try record(
            .priceQuestionWithdrawn(question: question), for: kept.account, in: kept.app,
            kept.environment, at: now)
    }
}
