import StoreDatabase
import StoreModel
import StoreRules

// Subscriptions of family members, as the accounts they are shared with have them.
extension ReadScope {
    /// The shared subscriptions in an account's receipt, by the numbers of their first
    /// transactions.
    borrowing func sharedSubscriptions(
        among transactions: [StoreTransaction]
    ) throws -> [SubscriptionRecord] {
        var newest: [TransactionID: StoreTransaction] = [:]
        for transaction in transactions where transaction.share != nil {
            guard transaction.subscription != nil else { continue }
            let known = newest[transaction.original]
            if known.map({ $0.id < transaction.id }) ?? true {
                newest[transaction.original] = transaction
            }
        }
        var found: [SubscriptionRecord] = []
        for (_, transaction) in newest.sorted(by: { $0.key < $1.key }) {
            if let seen = try subscription(seenBy: transaction) { found.append(seen) }
        }
        return found
    }

    /// The subscriptions of family members that an account has, or had, in an app.
    borrowing func sharedSubscriptions(
        of account: AccountID, in app: AppID
    ) throws -> [SubscriptionRecord] {
        // Most worlds have none.
        guard try row(anyShare) != nil else { return [] }
        return try sharedSubscriptions(
            among: rows(
                """
                SELECT \(transactionColumns) FROM store_transaction
                WHERE account_id = ?1 AND app_id = ?2 AND shared_original_id IS NOT NULL
                    AND subscription_group IS NOT NULL AND restore_id IS NULL
                ORDER BY id
                """, [account, app]
            ).map { try StoreTransaction($0) })
    }

    /// The subscription that began with a transaction, one's own or a family member's.
    borrowing func subscriptionOrShared(_ original: TransactionID) throws -> SubscriptionRecord? {
        if let own = try subscription(original) { return own }
        guard let first = try transaction(original), let share = first.share,
            let newest = try rows(
                """
                SELECT \(transactionColumns) FROM store_transaction
                WHERE account_id = ?1 AND shared_original_id = ?2 AND original_id = ?3
                    AND restore_id IS NULL
                ORDER BY id DESC LIMIT 1
                """, [first.account, share.original, original]
            ).first.map({ try StoreTransaction($0) })
        else { return nil }
        return try subscription(seenBy: newest)
    }

    /// The subscription whose period a transaction shares, which is its holder's newest of it.
    borrowing func subscription(
        seenBy newest: StoreTransaction
    ) throws -> SubscriptionRecord? {
        guard let share = newest.share, let period = newest.subscription,
            let owned = try subscription(share.original)
        else { return nil }
        return SubscriptionRecord(
            environment: newest.environment, app: newest.app, account: newest.account,
            group: period.group, boughtAt: newest.originallyPurchasedAt, newest: newest.id,
            device: newest.device, applicationUsername: newest.applicationUsername,
            state: SharedSubscription.seen(
                owned.state, as: newest.original, product: newest.product,
                since: newest.originallyPurchasedAt, startedAt: newest.purchasedAt,
                expiresAt: period.expiresAt,
                isNewest: share.purchase == owned.newest, isTakenBack: try isTakenBack(newest)))
    }
}
