import StoreDatabase
import StoreModel
import StoreRules

// Purchases whose answer came later.
extension Purchase {
    /// What the rules make of it now, without asking anybody again. With a price that was shown,
    /// it is bought for no other.
    func decision(
        _ scope: borrowing ReadScope, shownPrice: Money? = nil, now: Timestamp
    ) throws -> PurchaseDecision {
        let product = try shownProduct(scope, now: now)
        // What it waits with was proved when it was asked for; no signature is looked at now.
        let judged = try judgeOffer(for: product, scope, now: now, realNow: now)
        return PurchaseRules.decide(
            PurchaseCommand(
                account: account.id, bodyDigest: wish.digest, quantity: wish.quantity,
                shownPrice: shownPrice),
            given: try loadFacts(
                scope, of: product, known: nil, settings: .plain, offer: judged.asked, now: now))
    }

    /// What it would be charged now; nil when it is not for sale.
    func price(_ scope: borrowing ReadScope, now: Timestamp) throws -> Money? {
        switch try decision(scope, now: now) {
        case .sell(_, let charge, _): charge
        case .subscribe(let bill, _): bill.amount
        case .unpaid(let price, _): price
        case .answerKnown, .idReused, .refuse, .changeRenewal, .wait: nil
        }
    }

    /// Makes a purchase that waited, by the rules of this moment: transaction, event, attempt and
    /// receipt revision, or the attempt's refusal.
    ///
    /// Who approves one sees what it costs now. An interrupted one was seen by its buyer alone, on
    /// the sheet, and is refused when the price has changed since.
    fileprivate func complete(
        _ scope: borrowing WriteScope, after cause: WaitingCause, time: WorldTime
    ) throws -> Attempt {
        let now = time.now()
        let shownPrice: Money? =
            switch cause {
            case .approval: nil
            case .interruption: wish.shownPrice
            }
        let attempt: Attempt
        try settleDue(
            of: try scope.reading { try shownProduct($0, now: now) }, scope, at: now, time: time)
        switch try scope.reading({ try decision($0, shownPrice: shownPrice, now: now) }) {
        case .sell(let product, let charge, let original):
            let sold = try addTransaction(
                of: product, charge: charge, original: original, at: time.record(now), scope)
            _ = try scope.bumpReceiptRevision(of: account.id, in: session.app)
            attempt = self.attempt(.done, transaction: sold.id)
        case .subscribe(let bill, let refund):
            let sold = try subscribe(bill, refund: refund, at: time.record(now), scope)
            _ = try scope.bumpReceiptRevision(of: account.id, in: session.app)
            attempt = self.attempt(.done, transaction: sold.id)
        case .changeRenewal(let product, let offer, let group):
            let period = try changeRenewal(
                to: product, offer, group: group, at: time.record(now), scope)
            attempt = self.attempt(.done, transaction: period.id)
            // No transaction tells the device that asked; it posts the attempt again and learns.
            try scope.addEvent(
                .declined, for: account.id, in: session.app, environment,
                subject: wish.attempt.rawValue, at: time.record(now))
        case .refuse(let reason):
            attempt = self.attempt(.refused, refusal: reason)
        case .unpaid(_, let missing):
            attempt = refused(lacking: missing)
        case .answerKnown, .idReused, .wait:
            preconditionFailure("a purchase that waited is neither known nor made to wait again")
        }
        try scope.saveAttempt(attempt, of: session.device, now: time.record(now))
        return attempt
    }
}

extension WaitingPurchase {
    /// Makes the purchase by the rules of this moment, or refuses its attempt.
    func complete(_ scope: borrowing WriteScope, time: WorldTime) throws -> Attempt {
        try purchase.complete(scope, after: cause, time: time)
    }
}
