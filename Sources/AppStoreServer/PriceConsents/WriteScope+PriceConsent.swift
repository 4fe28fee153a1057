import StoreDatabase
import StoreModel
import StoreRules

extension WriteScope {
    /// Takes an answer to a question about a price: once, and the same again is no other. 409 when
    /// the other one was given before.
    borrowing func take(
        _ answer: PriceConsent.Answer, to consent: PriceConsent, in environment: StoreEnvironment,
        time: WorldTime
    ) throws {
        switch PriceConsentRules.answering(consent, with: answer) {
        case .answerKnown: return
        case .stands(let known):
            throw Refusal(
                409, "priceConsentAnswered",
                "Question \(consent.number) was \(known.rawValue) already, and that stands.")
        case .take:
            let now = time.recordNow()
            try self.answer(consent, answer, at: now)
            try tellSubscription(of: consent, answer)
            try addEvent(
                .priceConsent, for: consent.account, in: consent.app, environment,
                subject: "\(consent.number)", at: now)
        }
    }
}

extension WriteScope {
    /// A subscription that was asked about this very price goes by the answer.
    private borrowing func tellSubscription(
        of consent: PriceConsent, _ answer: PriceConsent.Answer
    ) throws {
        let known = try reading { scope in
            try scope.subscriptions(of: consent.account, in: consent.app).first {
                $0.state.product == consent.product && $0.state.isOpen
            }
        }
        guard var kept = known, let increase = kept.state.increase,
            increase.price == consent.newPrice
        else { return }
        kept.state = try SubscriptionRules.answer(answer, kept.state)
        try save(kept)
    }
}

extension Refusal {
    static let priceConsentUnknown = Refusal(
        404, "priceConsentUnknown", "There is no question about a price of that number.")
}
