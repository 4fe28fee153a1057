import StoreDatabase
import StoreModel
import StoreRules

extension WriteScope {
    /// Has what an account owes for its subscriptions tried again now, because it got credit. The
    /// worker does it when it is woken after the commit.
    borrowing func payAgain(_ account: AccountID, at now: Timestamp) throws {
        for var kept in try reading({ try $0.unpaidSubscriptions(of: account) }) {
            kept.state = SubscriptionRules.payingAgain(kept.state, at: now)
            try save(kept)
        }
    }
}

/// How a due payment is made.
enum PaymentWay: Sendable {
    /// At once. `taking` is what a provider authorized for it and credit lacks.
    case pays(taking: Money?)
    /// A provider is to be asked for what credit lacks.
    case asks(Money)
    case fails
}

extension KeptSubscription {
    /// Whether an early renewal need not fear for its payment: credit makes it, or it fails because
    /// its owner wants that. What a provider would say is not known before it is asked.
    func canPay(_ amount: Money, _ scope: borrowing WriteScope) throws -> Bool {
        if failsBilling { return true }
        guard case .pays = try way(toPay: amount, scope) else { return false }
        return true
    }

    /// How its due payment is made: by its account's credit, and with what its provider said of the
    /// rest, once that was asked. It fails when its owner wants that.
    func way(
        toPay amount: Money, answer: PaymentAnswer? = nil, _ scope: borrowing WriteScope
    ) throws -> PaymentWay {
        if failsBilling { return .fails }
        let credit = try scope.reading {
            try environment.gateway.credit(of: account, in: amount.currency, $0)
        }
        guard let credit else { return .pays(taking: nil) }
        guard let missing = PurchaseMeans(credit: credit).missing(for: amount) else {
            return .pays(taking: nil)
        }
        switch answer {
        case .refused: return .fails
        case .authorized(let payment):
            let means = PurchaseMeans(credit: credit, authorized: payment.amount)
            // Credit that counted may have gone elsewhere: then the rest is asked for as well.
            let needed = PaymentRules.asked(missing)
            return means.missing(for: amount) == nil ? .pays(taking: needed) : .asks(needed)
        case nil:
            let asks = try scope.reading { try $0.asksProvider(in: environment) }
            return asks ? .asks(PaymentRules.asked(missing)) : .fails
        }
    }
}
