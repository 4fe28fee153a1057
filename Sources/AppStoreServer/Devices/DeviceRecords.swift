import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// A device and the account signed in on it, according to its token.
struct DeviceSession: Sendable {
    let device: DeviceID
    let environment: StoreEnvironment
    let guid: String
    let app: AppID
    let bundleID: String
    let appNumber: AppNumber
    let appVersion: String
    let account: Account?
    let appStorefront: Storefront
    let tokenDigest: [UInt8]

    /// The customer's storefront: that of the account, or of the app's catalogue file.
    var storefront: Storefront { account?.storefront ?? appStorefront }
}

extension ReadScope {
    /// The session of an unexpired token in an environment.
    borrowing func deviceSession(
        tokenDigest: [UInt8], in environment: StoreEnvironment, realNow: Timestamp
    ) throws -> DeviceSession? {
        let found = try row(
            """
            SELECT account.id, account.environment, account.name, account.storefront,
                device.id AS device_id, guid, app_id, bundle_id, app_number, app_version,
                app.storefront AS app_storefront
            FROM device_token
            JOIN device ON device.id = device_token.device_id
            JOIN app ON app.id = device.app_id
            LEFT JOIN account ON account.id = device_token.account_id
            WHERE device_token.digest = ?1 AND device.environment = ?2
                AND device_token.expires_real_ms > ?3
            """, [tokenDigest, environment, realNow])
        guard let found else { return nil }
        let account: AccountID? = try found["id"]
        return DeviceSession(
            device: try found["device_id"], environment: environment, guid: try found["guid"],
            app: try found["app_id"], bundleID: try found["bundle_id"],
            appNumber: try found.appNumber(),
            appVersion: try found["app_version"],
            account: account == nil ? nil : try Account(found),
            appStorefront: try found["app_storefront"], tokenDigest: tokenDigest)
    }
}

extension ReadScope {
    /// The accounts with tokens on the device of a UUID.
    borrowing func signedInAccounts(
        onDevice guid: String, of app: AppID, in environment: StoreEnvironment
    ) throws -> [AccountID] {
        try values(
            """
            SELECT DISTINCT account_id FROM device_token
            WHERE account_id IS NOT NULL AND device_id = (
                SELECT id FROM device WHERE environment = ?1 AND app_id = ?2 AND guid = ?3)
            """, [environment, app, guid])
    }

    borrowing func hasSignedIn(_ account: AccountID, on device: DeviceID) throws -> Bool {
        try row(
            "SELECT 1 FROM device_account WHERE device_id = ?1 AND account_id = ?2",
            [device, account]) != nil
    }
}

extension WriteScope {
    borrowing func rememberSignIn(of account: AccountID, on device: DeviceID) throws {
        try insert(
            into: "device_account", ["device_id": device, "account_id": account],
            "ON CONFLICT (device_id, account_id) DO NOTHING")
    }

    /// Registers a device, or notes that its app has another version now.
    borrowing func saveDevice(
        guid: String, app: AppID, appVersion: String, in environment: StoreEnvironment,
        now: Timestamp
    ) throws -> DeviceID {
        let known: DeviceID? = try value(
            "SELECT id FROM device WHERE environment = ?1 AND app_id = ?2 AND guid = ?3",
            [environment, app, guid])
        if let known {
            try execute("UPDATE device SET app_version = ?2 WHERE id = ?1", [known, appVersion])
            return known
        }
        let id = try next("device")
        try insert(
            into: "device",
            [
                "id": id, "environment": environment, "app_id": app, "guid": guid,
                "app_version": appVersion, "created_ms": now,
            ])
        return DeviceID(id)
    }

    borrowing func addToken(
        digest: [UInt8], device: DeviceID, account: AccountID?, expires: Timestamp
    ) throws {
        try insert(
            into: "device_token",
            [
                "digest": digest, "device_id": device, "account_id": account,
                "expires_real_ms": expires,
            ])
    }

    /// Lets a replaced token work for a little longer, in case the answer with the new one is lost.
    borrowing func retireToken(digest: [UInt8], by end: Timestamp) throws {
        try execute(
            """
            UPDATE device_token SET expires_real_ms = ?2
            WHERE digest = ?1 AND expires_real_ms > ?2
            """, [digest, end])
    }

    /// Throws unless the session's token is unchanged since the request came: a sign-out may have
    /// been committed since then.
    borrowing func requireToken(of session: DeviceSession) throws {
        let found = try row(
            "SELECT account_id FROM device_token WHERE digest = ?1", [session.tokenDigest])
        guard let found, try found["account_id"] == session.account?.id.rawValue else {
            throw Refusal.tokenUnknown
        }
    }

    /// The session, or nil when its token has changed since.
    borrowing func stillGood(_ session: DeviceSession?) throws -> DeviceSession? {
        do {
            if let session { try requireToken(of: session) }
            return session
        } catch is Refusal {
            return nil
        }
    }

    /// Ends every session of an account.
    borrowing func deleteTokens(of account: AccountID) throws {
        try execute(
            "DELETE FROM device_token WHERE account_id = ?1", [account])
    }

    /// Ends every signed-in session on a device except those of one account, including replaced
    /// tokens that still work.
    borrowing func deleteSignedInTokens(of device: DeviceID, but kept: AccountID?) throws {
        try execute(
            """
            DELETE FROM device_token
            WHERE device_id = ?1 AND account_id IS NOT NULL AND (account_id <> ?2 OR ?2 IS NULL)
            """, [device, kept])
    }

    borrowing func deleteToken(digest: [UInt8]) throws {
        try execute("DELETE FROM device_token WHERE digest = ?1", [digest])
    }

    /// Deletes a device's expired tokens, so that they do not pile up.
    borrowing func deleteExpiredTokens(of device: DeviceID, realNow: Timestamp) throws {
        try execute(
            "DELETE FROM device_token WHERE device_id = ?1 AND expires_real_ms <= ?2",
            [device, realNow])
    }

    /// Deletes the oldest tokens of a device except for some: of those with an account, or of those
    /// without one.
    borrowing func deleteOldestTokens(
        of device: DeviceID, withAccount: Bool, but kept: Int64
    ) throws {
        let extra: [[UInt8]] = try values(
            """
            SELECT digest FROM device_token
            WHERE device_id = ?1 AND (account_id IS NOT NULL) = ?2
            ORDER BY expires_real_ms DESC LIMIT 1000 OFFSET ?3
            """, [device, withAccount, kept])
        for token in extra { try deleteToken(digest: token) }
    }

    /// Checks the next few devices and deletes the unused ones: without an account that ever signed
    /// in, an attempt, a purchase, a receipt, a restore, or a registration since a time.
    ///
    /// Returns where to go on: at the beginning, after the last device.
    borrowing func dropUnusedDevices(
        after last: DeviceID, lookingAt count: Int, registeredBefore time: Timestamp
    ) throws -> DeviceID {
        let expiry = time.adding(milliseconds: Limits.tokenMilliseconds)
        let found = try rows(
            """
            SELECT id, CASE WHEN
                EXISTS (SELECT 1 FROM device_token WHERE device_id = device.id
                    AND (account_id IS NOT NULL OR expires_real_ms > ?2))
                OR EXISTS (SELECT 1 FROM device_account WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM attempt WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM store_transaction WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM device_receipt WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM restore WHERE device_id = device.id)
                THEN 1 ELSE 0 END AS is_used
            FROM device WHERE id > ?1 ORDER BY id LIMIT ?3
            """, [last, expiry, count])
        for row in found where try !row["is_used"] {
            let id: DeviceID = try row["id"]
            for table in ["device_token", "device_guess", "key_value_request"] {
                try execute("DELETE FROM \(table) WHERE device_id = ?1", [id])
            }
            try execute("DELETE FROM device WHERE id = ?1", [id])
        }
        return found.count < count ? DeviceID(0) : try found.last?["id"] ?? DeviceID(0)
    }
}
