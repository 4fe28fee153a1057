import StoreDatabase
import StoreModel

/// A stored restore: its account, and the user name it was asked for.
struct StoredRestore: Hashable, Sendable {
    let account: AccountID
    let applicationUsername: String?
}

/// The range of an account's purchases that a page of a restore covers.
struct RestorePage: Hashable, Sendable {
    /// The purchases above this number; 0 for the first page.
    let after: TransactionID
    /// The purchases up to this number; nil in the last page.
    let last: TransactionID?
}

extension ReadScope {
    borrowing func restore(_ id: RestoreID, of device: DeviceID) throws -> StoredRestore? {
        try row(
            """
            SELECT account_id, application_username FROM restore
            WHERE device_id = ?1 AND restore_id = ?2
            """, [device, id]
        ).map {
            StoredRestore(
                account: try $0["account_id"], applicationUsername: try $0["application_username"])
        }
    }

    /// The page that a restore answered after a position; nil when it has not come that far.
    borrowing func restorePage(
        after position: TransactionID, in restore: RestoreID, of device: DeviceID
    ) throws -> RestorePage? {
        try row(
            """
            SELECT last_id FROM restore_page
            WHERE device_id = ?1 AND restore_id = ?2 AND after_id = ?3
            """, [device, restore, position]
        ).map {
            RestorePage(after: position, last: try $0["last_id"])
        }
    }

    /// Whether a page of a restore ended at a position.
    borrowing func isPosition(
        _ position: TransactionID, of restore: RestoreID, on device: DeviceID
    ) throws -> Bool {
        try row(
            """
            SELECT 1 FROM restore_page
            WHERE device_id = ?1 AND restore_id = ?2 AND last_id = ?3
            """, [device, restore, position]) != nil
    }

    /// An account's purchases in an app that may be restorable, in the order of their numbers.
    borrowing func purchasesToRestore(
        of account: AccountID, in app: AppID, after position: TransactionID, countMax: Int
    ) throws -> [StoreTransaction] {
        try rows(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE account_id = ?1 AND app_id = ?2 AND id > ?3 AND restore_id IS NULL
                AND kind <> 'consumable' AND finished_ms IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM revocation WHERE transaction_id = store_transaction.id)
            ORDER BY id LIMIT ?4
            """, [account, app, position, countMax]
        ).map { try StoreTransaction($0) }
    }

    /// The transactions of a restore's page, in the order of the purchases, without those that were
    /// taken back since.
    borrowing func restored(
        in page: RestorePage, of restore: RestoreID, on device: DeviceID
    ) throws -> [StoreTransaction] {
        try rows(
            """
            SELECT \(transactionColumns) FROM store_transaction
            WHERE device_id = ?1 AND restore_id = ?2 AND restored_id > ?3
                AND (restored_id <= ?4 OR ?4 IS NULL) AND \(isNotTakenBack)
            ORDER BY restored_id
            """, [device, restore, page.after, page.last]
        ).map { try StoreTransaction($0) }
    }

    /// The originals of the non-consumables that a restore gave back: at most one for each product.
    borrowing func originalsGiven(
        by restore: RestoreID, on device: DeviceID
    ) throws -> Set<TransactionID> {
        Set(
            try values(
                """
                SELECT original_id FROM store_transaction
                WHERE device_id = ?1 AND restore_id = ?2 AND kind = 'nonConsumable'
                """, [device, restore]))
    }

    /// How many transactions restored to a device its app has not finished.
    borrowing func unfinishedRestoredCount(
        of account: AccountID, in app: AppID, on device: DeviceID
    ) throws -> Int {
        try value(
            """
            SELECT count(*) FROM store_transaction
            WHERE account_id = ?1 AND app_id = ?2 AND finished_ms IS NULL
                AND restore_id IS NOT NULL AND device_id = ?3 AND \(isNotTakenBack)
            """, [account, app, device]) ?? 0
    }

    /// The transactions with the purchases that they restore; each original is read once.
    borrowing func withOriginals(
        _ transactions: [DeliveredTransaction]
    ) throws -> [DeliveredTransaction] {
        var originals: [TransactionID: StoreTransaction] = [:]
        var complete: [DeliveredTransaction] = []
        for delivered in transactions {
            var delivered = delivered
            if delivered.transaction.restoration != nil {
                let id = delivered.transaction.original
                if originals[id] == nil { originals[id] = try transaction(id) }
                delivered.original = originals[id]
            }
            complete.append(delivered)
        }
        return complete
    }
}

extension WriteScope {
    borrowing func addRestore(
        _ id: RestoreID, of device: DeviceID, _ restore: StoredRestore
    ) throws {
        try insert(
            into: "restore",
            [
                "device_id": device, "restore_id": id, "account_id": restore.account,
                "application_username": restore.applicationUsername,
            ])
    }

    borrowing func addRestorePage(
        _ page: RestorePage, of restore: RestoreID, on device: DeviceID, at now: Timestamp
    ) throws {
        try insert(
            into: "restore_page",
            [
                "device_id": device, "restore_id": restore, "after_id": page.after,
                "last_id": page.last, "given_ms": now,
            ])
    }
}

extension Restoration {
    /// From two columns that are both null or both not.
    init?(restore: String?, purchase: Int64?) {
        guard let restore, let purchase else { return nil }
        self.init(restore: RestoreID(restore), purchase: TransactionID(purchase))
    }
}
