import StoreDatabase
import StoreModel

extension ReadScope {
    /// Whether an account stands for a transaction that was deleted.
    borrowing func isRemains(_ account: AccountID) throws -> Bool {
        try row(
            "SELECT 1 FROM account WHERE id = ?1 AND deleted_transaction_id IS NOT NULL", [account]
        ) != nil
    }

    /// The transaction itself, and those of its account that came from it: the later periods of its
    /// subscription, and what counts as the same purchase if it is the first.
    borrowing func purchases(
        deletedWith found: StoreTransaction
    ) throws -> [StoreTransaction] {
        let isFirst = found.id == found.original && found.kind != .consumable
        guard found.restoration == nil, isFirst || found.subscription != nil else { return [found] }
        return try rows(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE account_id = ?1 AND app_id = ?2 AND id >= ?3 AND original_id = ?4
                AND restore_id IS NULL AND kind <> 'consumable'
            ORDER BY id
            """, [found.account, found.app, found.id, found.original]
        ).map { try StoreTransaction($0) }
    }

    /// The copies of purchases that were restored to devices.
    borrowing func restored(from purchases: [StoreTransaction]) throws -> [StoreTransaction] {
        var found: [StoreTransaction] = []
        for purchase in purchases where purchase.restoration == nil {
            found += try rows(
                """
                SELECT \(transactionColumns) FROM store_transaction WHERE restored_id = ?2
                    AND device_id IN (SELECT device_id FROM device_account WHERE account_id = ?1)
                """, [purchase.account, purchase.id]
            ).map { try StoreTransaction($0) }
        }
        return found
    }

    /// The periods of a subscription before the one that a transaction paid for, the oldest first.
    borrowing func periods(before found: StoreTransaction) throws -> [StoreTransaction] {
        try rows(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE account_id = ?1 AND app_id = ?2 AND id < ?3 AND original_id = ?4
                AND restore_id IS NULL AND kind <> 'consumable'
            ORDER BY id
            """, [found.account, found.app, found.id, found.original]
        ).map { try StoreTransaction($0) }
    }
}

extension WriteScope {
    /// Makes the account that stands for a transaction that was deleted.
    borrowing func addRemains(
        of transaction: StoreTransaction, at now: Timestamp
    ) throws -> AccountID {
        let id = try next("account")
        try insert(
            into: "account",
            [
                "id": id, "environment": transaction.environment,
                "name": "deleted-transaction-\(transaction.id)",
                "storefront": transaction.storefront, "password_hash": "", "failures": 0,
                "created_ms": now, "deleted_ms": now,
                "deleted_transaction_id": transaction.id,
            ])
        return AccountID(id)
    }

    /// Gives a transaction to another account, with the attempt or the part of a restore that it came
    /// from; the app's name for its user goes.
    borrowing func give(_ transaction: StoreTransaction, to account: AccountID) throws {
        try execute(
            """
            UPDATE store_transaction SET account_id = ?2, application_username = NULL WHERE id = ?1
            """, [transaction.id, account])
        if let restoration = transaction.restoration {
            try giveRestore(restoration, on: transaction, to: account)
        } else {
            for table in ["attempt", "waiting_purchase"] {
                try execute(
                    "UPDATE \(table) SET account_id = ?3 WHERE device_id = ?1 AND attempt_id = ?2",
                    [transaction.device, transaction.attempt, account])
            }
            try execute(
                """
                UPDATE waiting_purchase SET application_username = NULL
                WHERE device_id = ?1 AND attempt_id = ?2
                """, [transaction.device, transaction.attempt])
        }
        // Those that changed the renewal of a period are answered with it.
        if transaction.subscription != nil {
            try execute(
                """
                UPDATE attempt SET account_id = ?3 WHERE transaction_id = ?2
                    AND device_id IN (SELECT device_id FROM device_account WHERE account_id = ?1)
                """, [transaction.account, transaction.id, account])
        }
        try execute(
            """
            UPDATE offer_redemption SET account_id = ?3 WHERE account_id = ?1 AND transaction_id = ?2
            """, [transaction.account, transaction.id, account])
    }

    /// Puts a restored transaction into a restore of its own: the others stay where they are.
    private borrowing func giveRestore(
        _ restoration: Restoration, on transaction: StoreTransaction, to account: AccountID
    ) throws {
        let own = "\(restoration.restore)/deleted/\(transaction.id)"
        try execute(
            """
            INSERT INTO restore (device_id, restore_id, account_id, application_username)
            VALUES (?1, ?2, ?3, NULL)
            """, [transaction.device, own, account])
        try execute(
            """
            INSERT INTO restore_page (device_id, restore_id, after_id, last_id, given_ms)
            VALUES (?1, ?2, 0, NULL, ?3)
            """, [transaction.device, own, transaction.purchasedAt])
        try execute(
            "UPDATE store_transaction SET restore_id = ?2 WHERE id = ?1", [transaction.id, own])
    }

    borrowing func giveSubscription(_ original: TransactionID, to account: AccountID) throws {
        try execute(
            """
            UPDATE subscription SET account_id = ?2, application_username = NULL
            WHERE original_id = ?1
            """, [original, account])
    }

    /// Notes that no other product replaced a period after all.
    borrowing func takeBackUpgrade(of transaction: TransactionID) throws {
        try execute(
            "UPDATE store_transaction SET upgraded_ms = NULL WHERE id = ?1", [transaction])
        try execute("DELETE FROM refund WHERE transaction_id = ?1", [transaction])
    }
}
