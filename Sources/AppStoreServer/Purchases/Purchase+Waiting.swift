import StoreDatabase
import StoreModel
import StoreRules
import StoreService

// Purchases that waited for an answer.
extension Purchase {
    /// The rules' decision now, without asking anyone again. A price that was shown is the only one
    /// it is bought for; `payment` is what a provider authorized for it.
    func decision(
        _ scope: borrowing ReadScope, shownPrice: Money? = nil, paidBy payment: Payment? = nil,
        now: Timestamp
    ) throws -> PurchaseDecision {
        let product = try shownProduct(scope, now: now)
        // The offer it waits with was proved when it was asked for; no signature is checked now.
        let judged = try judgeOffer(for: product, scope, now: now, realNow: now)
        return PurchaseRules.decide(
            PurchaseCommand(
                account: account.id, bodyDigest: request.digest, quantity: request.quantity,
                shownPrice: shownPrice),
            given: try loadFacts(
                scope, of: product, known: nil, settings: .plain, offer: judged,
                isAnswered: true, paidBy: payment, now: now))
    }

    /// The price that would be charged now, or at the renewal with which it begins; nil when it is
    /// not for sale.
    func price(_ scope: borrowing ReadScope, now: Timestamp) throws -> Money? {
        let decision = try decision(scope, now: now)
        guard case .changeRenewal(_, let offer, _) = decision else { return decision.price }
        return try shownProduct(scope, now: now).map {
            let price = PriceRules.price(of: $0, in: account.storefront, at: now)
            return offer?.price.in(price.currency) ?? price
        }
    }
}

extension PurchaseDecision {
    /// The price that would be charged; nil when nothing is sold.
    fileprivate var price: Money? {
        switch self {
        case .sell(_, let charge, _): charge
        case .subscribe(let bill, _): bill.amount
        case .unpaid(let price, _), .ask(let price, _), .later(let price): price
        case .answerKnown, .idReused, .refuse, .changeRenewal, .wait: nil
        }
    }
}

extension WaitingPurchase {
    /// Makes a purchase that waited, under the rules of this moment: transaction, event, attempt
    /// and receipt revision, or the attempt's refusal. When credit does not suffice, it waits for
    /// the payment provider; `payment` is what the provider authorized for it.
    ///
    /// An approver sees the present price, which holds while the provider is asked. The price of
    /// any other purchase was seen by its buyer alone, on the sheet. Either is refused when the
    /// price has changed since.
    func complete(
        _ scope: borrowing WriteScope, paidBy payment: Payment? = nil, time: WorldTime
    ) throws -> Attempt {
        let now = time.now()
        let standing = try purchase.settleDue(
            of: try purchase.shownProduct(scope.reading, now: now), scope, at: now,
            time: time)
        var decision = try purchase.decision(
            scope.reading, shownPrice: heldPrice, paidBy: payment, now: now)
        // Another one may have been made since for the same time: this one is over, like a price that
        // changed, and does not keep those that wait beside it.
        do {
            try purchase.checkDate(after: standing, at: now)
        } catch is Refusal {
            decision = .refuse(.alreadySubscribed)
        }
        if isOtherPrice(decision) { decision = .refuse(.priceChanged) }
        // A payment that was just authorized was not declined.
        if payment == nil, case .ask(let price, let missing) = decision,
            try purchase.isDeclined(scope.reading, real: time.real())
        {
            decision = .unpaid(price: price, missing: missing)
        }
        let attempt = try carryOut(decision, paidBy: payment, at: now, time: time, scope)
        if attempt.state == .refused {
            try scope.refuse(self, as: attempt, now: time.record(now))
        } else {
            try scope.saveAttempt(attempt, of: session.device, now: time.record(now))
        }
        return attempt
    }

    /// Whether its price is another than when it was approved. A product that is owned by now costs
    /// nothing, whatever was seen.
    private func isOtherPrice(_ decision: PurchaseDecision) -> Bool {
        guard let approvedPrice, let price = decision.price else { return false }
        if case .sell(_, _, .some) = decision { return false }
        return price != approvedPrice
    }

    /// The only price for which it is bought, as its sheet showed it.
    private var heldPrice: Money? {
        switch cause {
        case .approval: nil
        case .interruption, .payment: request.shownPrice
        }
    }

    private func carryOut(
        _ decision: PurchaseDecision, paidBy payment: Payment?, at now: Timestamp,
        time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> Attempt {
        let purchase = purchase
        var sold: StoreTransaction?
        var taken: Money?
        let attempt: Attempt
        switch decision {
        case .sell(let product, let charge, let original):
            let now = time.record(now)
            taken = try purchase.take(for: charge, of: payment, at: now, scope)
            sold = try purchase.addTransaction(
                of: product, charge: charge, original: original, at: now, scope)
            attempt = purchase.attempt(.done, transaction: sold?.id)
        case .subscribe(let bill, let refund):
            let now = time.record(now)
            taken = try purchase.take(
                for: bill.amount, givenBack: refund, of: payment, at: now, scope)
            let begun = try purchase.subscribe(bill, refund: refund, at: now, scope)
            try purchase.goOn(with: begun, at: now, scope, time: time)
            sold = begun
            attempt = purchase.attempt(.done, transaction: begun.id)
        case .changeRenewal(let product, let offer, let group):
            let period = try purchase.changeRenewal(
                to: product, offer, group: group, at: time.record(now), scope)
            attempt = purchase.attempt(.done, transaction: period.id)
            // The device that asked gets no transaction; it posts the attempt again and learns the
            // answer.
            try scope.record(
                .declined(request.attempt), for: account.id, in: session.app,
                account.environment, at: time.record(now))
        case .ask(_, let missing) where payment != nil && cause == .approval:
            // The approver saw the price of that moment.
            attempt = purchase.refused(lacking: missing)
        case .ask(let price, let missing):
            if cause == .approval { try scope.approve(self, at: price) }
            // The refund decided then holds for the amount asked for now.
            try purchase.ask(
                for: missing, as: number, at: payment?.askedAt ?? time.record(now),
                real: time.real(), scope)
            attempt = purchase.attempt(.charging)
        case .refuse(let reason):
            attempt = purchase.attempt(.refused, refusal: reason)
        case .unpaid(_, let missing):
            attempt = purchase.refused(lacking: missing)
        case .later: throw Refusal.paymentOpen
        case .answerKnown, .idReused, .wait:
            preconditionFailure("a purchase that waited is neither known nor made to wait again")
        }
        if sold != nil { try scope.raiseReceiptRevision(of: account.id, in: session.app) }
        if let payment {
            try scope.end(payment, soldAs: sold?.id, capturing: taken, real: time.real())
        }
        return attempt
    }
}
