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

extension KeptSubscription {
    /// Whether its due payment cannot be made: its owner wants that, or its account lacks credit.
    func failsToPay(_ amount: Money, _ scope: borrowing WriteScope) throws -> Bool {
        if failsBilling { return true }
        let credit = try scope.reading {
            try environment.gateway.credit(of: account, in: amount.currency, $0)
        }
        return credit.map { PurchaseMeans(credit: $0).missing(for: amount) != nil } ?? false
    }
}
