import StoreDatabase
import StoreModel
import StoreRules

extension WriteScope {
    /// Makes the payments that an account owes for its subscriptions due again now, because it got
    /// credit. The worker tries them when it is woken after the commit.
    borrowing func payAgain(_ account: AccountID, at now: Timestamp) throws {
        for var kept in try reading.unpaidSubscriptions(of: account) {
            kept.state = SubscriptionChangeRules.payingAgain(kept.state, at: now)
            try save(kept)
        }
    }
}

extension SubscriptionRecord {
    /// Whether an early renewal's payment is certain: credit makes it, or it fails because its
    /// owner wants that. A provider's answer is unknown before it is asked.
    func canPay(_ amount: Money, _ scope: borrowing WriteScope) throws -> Bool {
        if try failsBilling || scope.reading.settings(of: account).failsRenewals { return true }
        guard case .pays = try payment(of: amount, scope) else { return false }
        return true
    }

    /// The way its due payment is made: from its account's credit, and by its provider's answer for
    /// the rest, once that was asked. It fails when its owner wants that.
    func payment(
        of amount: Money, answer: PaymentAnswer? = nil, _ scope: borrowing WriteScope
    ) throws -> RenewalPayment {
        if failsBilling { return .fails }
        return try RenewalPayment.of(
            amount,
            credit: try environment.gateway.credit(of: account, in: amount.currency, scope.reading),
            answer: answer, asksProvider: try scope.reading.asksProvider(in: environment))
    }
}
