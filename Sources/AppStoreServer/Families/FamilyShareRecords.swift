import StoreDatabase
import StoreModel
import StoreRules

/// Selects a transaction that shares a family member's purchase and was not made by a restore.
private let isShare = "shared_original_id IS NOT NULL AND restore_id IS NULL"

/// A family member's transaction of a shared purchase.
struct ShareCopy: Sendable {
    let id: TransactionID
    let account: AccountID
    let app: AppID
}

let anyShare = "SELECT 1 FROM store_transaction WHERE shared_id IS NOT NULL LIMIT 1"

extension ReadScope {
    /// The transactions that give the family a purchase, including those taken back.
    borrowing func copies(of purchase: TransactionID) throws -> [ShareCopy] {
        try rows(
            """
            SELECT id, account_id, app_id FROM store_transaction
            WHERE shared_id = ?1 AND restore_id IS NULL ORDER BY id
            """, [purchase]
        ).map {
            ShareCopy(
                id: try $0["id"], account: try $0["account_id"],
                app: try $0["app_id"])
        }
    }

    /// The account's own purchases of shareable products that it may share now: non-consumables,
    /// each once, and the present periods of subscriptions. A period that is over and could not be
    /// renewed is shared once it can be.
    borrowing func sharedPurchases(
        of account: AccountID, at now: Timestamp
    ) throws -> [StoreTransaction] {
        let found = try rows(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE account_id = ?1 AND kind <> 'consumable' AND restore_id IS NULL
                AND shared_id IS NULL
                AND (kind = 'nonConsumable' OR id IN (
                    SELECT newest_id FROM subscription WHERE subscription.account_id = ?1
                        AND (phase = 'gracePeriod'
                            OR phase = 'active' AND subscription.expires_ms > ?2)))
                AND EXISTS (
                    SELECT 1 FROM product WHERE product.app_id = store_transaction.app_id
                        AND product.product_id = store_transaction.product_id
                        AND is_family_shareable <> 0)
                AND \(isNotTakenBack)
            ORDER BY id
            """, [account, now]
        ).map { try StoreTransaction($0) }
        var seen: Set<TransactionID> = []
        return found.filter { $0.kind == .autoRenewable || seen.insert($0.original).inserted }
    }

    /// The purchases of family members that an account may use at a moment.
    borrowing func heldShares(of account: AccountID, at now: Timestamp) throws -> [HeldShare] {
        try rows(
            """
            SELECT id, shared_id, shared_original_id, kind, (
                    SELECT account_id FROM store_transaction AS purchase
                    WHERE purchase.id = store_transaction.shared_id) AS owner_id
            FROM store_transaction
            WHERE account_id = ?1 AND \(isShare) AND upgraded_ms IS NULL AND \(isNotTakenBack)
                AND (kind = 'nonConsumable' OR expires_ms > ?2 OR EXISTS (
                    SELECT 1 FROM subscription
                    WHERE subscription.original_id = store_transaction.shared_original_id
                        AND newest_id = store_transaction.shared_id AND phase = 'gracePeriod'))
            ORDER BY id
            """, [account, now]
        ).map { row in
            let share = FamilyShare(
                purchase: try row["shared_id"], original: try row["shared_original_id"])
            return HeldShare(
                transaction: try row["id"], item: share.item(of: try row["kind"]),
                holder: account, owner: try row["owner_id"])
        }
    }

    /// The newest transaction that gives, or gave, an account what began with a purchase.
    borrowing func newestShare(
        of purchase: TransactionID, with account: AccountID
    ) throws -> StoreTransaction? {
        try row(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE account_id = ?1 AND shared_original_id = ?2 AND restore_id IS NULL
            ORDER BY id DESC LIMIT 1
            """, [account, purchase]
        ).map { try StoreTransaction($0) }
    }

    /// The shared transactions of a transaction's account.
    borrowing func shares(besides transaction: TransactionID) throws -> Set<TransactionID> {
        // Most worlds have none.
        guard try row(anyShare) != nil, let owner = try self.transaction(transaction) else {
            return []
        }
        return Set(
            try values(
                """
                SELECT id FROM store_transaction
                WHERE account_id = ?1 AND shared_original_id IS NOT NULL
                """, [owner.account]))
    }
}

extension WriteScope {
    /// Changes a purchase's transaction and the family's copies of it, and so all their receipts.
    borrowing func changeWithCopies(
        of purchase: TransactionID,
        _ change: (borrowing WriteScope, TransactionID) throws -> Void
    ) throws {
        try change(self, purchase)
        for copy in try reading.copies(of: purchase) {
            try change(self, copy.id)
            try raiseReceiptRevision(of: copy.account, in: copy.app)
        }
    }
}
