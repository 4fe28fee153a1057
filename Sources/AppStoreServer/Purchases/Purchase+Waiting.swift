import StoreDatabase
import StoreModel
import StoreRules
import StoreService

// Purchases whose answer came later.
extension Purchase {
    /// What the rules make of it now, without asking anybody again. With a price that was shown,
    /// it is bought for no other; `payment` is what a provider authorized for it.
    func decision(
        _ scope: borrowing ReadScope, shownPrice: Money? = nil, paidBy payment: Payment? = nil,
        now: Timestamp
    ) throws -> PurchaseDecision {
        let product = try shownProduct(scope, now: now)
        // What it waits with was proved when it was asked for; no signature is looked at now.
        let judged = try judgeOffer(for: product, scope, now: now, realNow: now)
        return PurchaseRules.decide(
            PurchaseCommand(
                account: account.id, bodyDigest: request.digest, quantity: request.quantity,
                shownPrice: shownPrice),
            given: try loadFacts(
                scope, of: product, known: nil, settings: .plain, offer: judged.asked,
                isAnswered: true, paidBy: payment, now: now))
    }

    /// What it would be charged now, or at the renewal with which it begins; nil when it is not for
    /// sale.
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
    /// What would be charged; nil when nothing is sold.
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
    /// Makes a purchase that waited, by the rules of this moment: transaction, event, attempt and
    /// receipt revision, or the attempt's refusal. What credit does not pay now waits for the
    /// payment provider; `payment` is what that authorized for it.
    ///
    /// Who approves one sees what it costs now, and is held to that while its provider is asked.
    /// Another one was seen by its buyer alone, on the sheet. Either is refused when the price has
    /// changed since.
    func complete(
        _ scope: borrowing WriteScope, paidBy payment: Payment? = nil, time: WorldTime
    ) throws -> Attempt {
        let now = time.now()
        try purchase.settleDue(
            of: try scope.reading { try purchase.shownProduct($0, now: now) }, scope, at: now,
            time: time)
        var decision = try scope.reading {
            try purchase.decision(
                $0, shownPrice: heldPrice, paidBy: payment, now: now)
        }
        if isOtherPrice(decision) { decision = .refuse(.priceChanged) }
        // What was authorized just now was not declined.
        if payment == nil, case .ask(let price, let missing) = decision,
            try scope.reading({ try purchase.isDeclined($0, real: time.real()) })
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

    /// Whether it costs something else than when it was approved. What is owned by now costs nothing,
    /// whatever was seen.
    private func isOtherPrice(_ decision: PurchaseDecision) -> Bool {
        guard let approvedPrice, let price = decision.price else { return false }
        if case .sell(_, _, .some) = decision { return false }
        return price != approvedPrice
    }

    /// The price for which alone it is bought, as its sheet showed it.
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
            sold = try purchase.subscribe(bill, refund: refund, at: now, scope)
            attempt = purchase.attempt(.done, transaction: sold?.id)
        case .changeRenewal(let product, let offer, let group):
            let period = try purchase.changeRenewal(
                to: product, offer, group: group, at: time.record(now), scope)
            attempt = purchase.attempt(.done, transaction: period.id)
            // No transaction tells the device that asked; it posts the attempt again and learns.
            try scope.addEvent(
                .declined, for: account.id, in: session.app, account.environment,
                subject: request.attempt.rawValue, at: time.record(now))
        case .ask(_, let missing) where payment != nil && cause == .approval:
            // Who approved it saw what it cost then.
            attempt = purchase.refused(lacking: missing)
        case .ask(let price, let missing):
            if cause == .approval { try scope.approve(self, at: price) }
            // What was said to be given back then holds for what is asked for now.
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
