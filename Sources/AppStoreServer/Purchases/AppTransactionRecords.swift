import StoreDatabase
import StoreModel

/// The sequence of the numbers of app transactions; a world begins at a place of its own.
let appTransactionSequence = "app_transaction"

extension ReadScope {
    /// Nil when the account never had the app on a device.
    borrowing func appTransaction(
        of account: AccountID, in app: AppID
    ) throws -> AppTransaction? {
        try row(
            """
            SELECT id, purchased_ms, app_version, platform, is_volume FROM app_transaction
            WHERE account_id = ?1 AND app_id = ?2
            """, [account, app]
        ).map { row in
            AppTransaction(
                id: try row["id"], purchasedAt: try row["purchased_ms"],
                version: try row["app_version"], platform: try row["platform"],
                isVolumePurchase: try row["is_volume"])
        }
    }

    /// The account of an app transaction, in an app and an environment.
    borrowing func owner(
        of id: AppTransactionID, in app: AppID, _ environment: StoreEnvironment
    ) throws -> AccountID? {
        try value(
            """
            SELECT account_id FROM app_transaction JOIN account ON account.id = account_id
            WHERE app_transaction.id = ?1 AND app_id = ?2 AND environment = ?3
            """, [id, app, environment])
    }

    /// Whether the account of an app transaction was deleted.
    borrowing func isOwnerDeleted(of transaction: AppTransactionID) throws -> Bool {
        try row(
            """
            SELECT 1 FROM app_transaction JOIN account ON account.id = account_id
            WHERE app_transaction.id = ?1 AND deleted_ms IS NOT NULL
            """, [transaction]) != nil
    }
}

extension WriteScope {
    /// Notes that an account got an app, unless it has it.
    borrowing func addAppTransaction(
        of account: Account, in app: AppID, version: String, at now: Timestamp
    ) throws {
        guard try reading.appTransaction(of: account.id, in: app) == nil else { return }
        let id = AppTransactionID(try next(appTransactionSequence))
        try save(
            .first(id, version: version, at: now, in: account.environment), of: account.id,
            in: app)
    }

    borrowing func save(
        _ transaction: AppTransaction, of account: AccountID, in app: AppID
    ) throws {
        try execute(
            """
            INSERT INTO app_transaction
                (id, account_id, app_id, purchased_ms, app_version, platform, is_volume)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (id) DO UPDATE SET purchased_ms = ?4, app_version = ?5, platform = ?6,
                is_volume = ?7
            """,
            [
                transaction.id, account, app, transaction.purchasedAt, transaction.version,
                transaction.platform, transaction.isVolumePurchase,
            ])
    }
}
