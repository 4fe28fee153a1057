import StoreDatabase
import StoreModel

extension ReadScope {
    borrowing func account(_ id: AccountID) throws -> Account? {
        try row(
            """
            SELECT account.id, account.environment, account.name, account.storefront
            FROM account WHERE id = ?1
            """, [id]
        ).map { try Account($0) }
    }

    /// The device of a purchase that the world's owner makes for an account: one on which the
    /// account is signed in, or else the one on which it last bought. Nil when it has none in the
    /// app.
    borrowing func latestSession(of account: Account, in app: AppID) throws -> DeviceSession? {
        let found: DeviceID? = try value(
            """
            SELECT coalesce(
                (SELECT max(device.id) FROM device_token
                    JOIN device ON device.id = device_token.device_id
                    WHERE device_token.account_id = ?1 AND device.app_id = ?2
                        AND device.environment = ?3),
                (SELECT device_id FROM event
                    JOIN store_transaction ON store_transaction.id = event.transaction_id
                    WHERE event.account_id = ?1 AND event.app_id = ?2
                        AND event.kind = 'purchased' AND shared_id IS NULL
                    ORDER BY event.number DESC LIMIT 1))
            """, [account.id, app, account.environment])
        return try found.flatMap { try session(of: account, on: $0) }
    }

    /// The session of an account on a device, whether or not it is signed in there.
    borrowing func session(of account: Account, on device: DeviceID) throws -> DeviceSession? {
        try row(
            """
            SELECT device.guid, device.app_id, app.bundle_id, app.app_number, device.app_version,
                app.storefront
            FROM device JOIN app ON app.id = device.app_id WHERE device.id = ?1
            """, [device]
        ).map { row in
            DeviceSession(
                device: device, environment: account.environment, guid: try row["guid"],
                app: try row["app_id"], bundleID: try row["bundle_id"],
                appNumber: try row.appNumber(),
                appVersion: try row["app_version"],
                account: account, appStorefront: try row["storefront"],
                tokenDigest: [])
        }
    }
}
