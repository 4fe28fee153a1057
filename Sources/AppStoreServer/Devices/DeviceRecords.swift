import StoreDatabase
import StoreModel
import StoreService

/// A device and who is signed in on it, as its token says.
struct DeviceSession: Sendable {
    let device: DeviceID
    let environment: StoreEnvironment
    let guid: String
    let app: AppID
    let bundleID: String
    let appVersion: String
    let account: Account?
    let appStorefront: Storefront
    let tokenDigest: [UInt8]

    /// Where the person is: the account's storefront, or the one of the app's catalogue file.
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
                device.id, device.guid, device.app_id, app.bundle_id, device.app_version,
                app.storefront
            FROM device_token
            JOIN device ON device.id = device_token.device_id
            JOIN app ON app.id = device.app_id
            LEFT JOIN account ON account.id = device_token.account_id
            WHERE device_token.digest = ?1 AND device.environment = ?2
                AND device_token.expires_real_ms > ?3
            """,
            [.blob(tokenDigest), .text(environment.rawValue), .integer(realNow.milliseconds)])
        guard let found else { return nil }
        let account = found.integerOrNil(0) == nil ? nil : try Account(found)
        return DeviceSession(
            device: DeviceID(found.integer(4)), environment: environment, guid: found.text(5),
            app: AppID(found.integer(6)), bundleID: found.text(7), appVersion: found.text(8),
            account: account, appStorefront: try Storefront(stored: found.text(9)),
            tokenDigest: tokenDigest)
    }
}

extension WriteScope {
    /// Makes a device known, or notes that its app has another version now.
    borrowing func saveDevice(
        guid: String, app: AppID, appVersion: String, in environment: StoreEnvironment,
        now: Timestamp
    ) throws -> DeviceID {
        let known = try row(
            "SELECT id FROM device WHERE environment = ?1 AND app_id = ?2 AND guid = ?3",
            [.text(environment.rawValue), .integer(app.rawValue), .text(guid)])
        if let known {
            try execute(
                "UPDATE device SET app_version = ?2 WHERE id = ?1",
                [.integer(known.integer(0)), .text(appVersion)])
            return DeviceID(known.integer(0))
        }
        let id = try next("device")
        try execute(
            """
            INSERT INTO device (id, environment, app_id, guid, app_version, created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .integer(id), .text(environment.rawValue), .integer(app.rawValue), .text(guid),
                .text(appVersion), .integer(now.milliseconds),
            ])
        return DeviceID(id)
    }

    borrowing func addToken(
        digest: [UInt8], device: DeviceID, account: AccountID?, expires: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO device_token (digest, device_id, account_id, expires_real_ms)
            VALUES (?1, ?2, ?3, ?4)
            """,
            [
                .blob(digest), .integer(device.rawValue), .integer(account?.rawValue),
                .integer(expires.milliseconds),
            ])
    }

    /// Lets a token that was replaced work on for a little, in case the new one's answer is lost.
    borrowing func retireToken(digest: [UInt8], by end: Timestamp) throws {
        try execute(
            """
            UPDATE device_token SET expires_real_ms = ?2
            WHERE digest = ?1 AND expires_real_ms > ?2
            """, [.blob(digest), .integer(end.milliseconds)])
    }

    /// Throws unless the session's token is what it was when the request came: what signs an
    /// account out may have been committed between then and now.
    borrowing func requireToken(of session: DeviceSession) throws {
        let found = try row(
            "SELECT account_id FROM device_token WHERE digest = ?1", [.blob(session.tokenDigest)])
        guard let found, found.integerOrNil(0) == session.account?.id.rawValue else {
            throw Refusal.tokenUnknown
        }
    }

    /// The session, or nil when its token is not what it was any more.
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
            "DELETE FROM device_token WHERE account_id = ?1", [.integer(account.rawValue)])
    }

    /// Ends every session on a device in which somebody is signed in, but for those of one account:
    /// also tokens that were replaced and work on for a little.
    borrowing func deleteSignedInTokens(of device: DeviceID, but kept: AccountID?) throws {
        try execute(
            """
            DELETE FROM device_token
            WHERE device_id = ?1 AND account_id IS NOT NULL AND (account_id <> ?2 OR ?2 IS NULL)
            """, [.integer(device.rawValue), .integer(kept?.rawValue)])
    }

    borrowing func deleteToken(digest: [UInt8]) throws {
        try execute("DELETE FROM device_token WHERE digest = ?1", [.blob(digest)])
    }

    /// Deletes what expired on a device, so that tokens do not pile up.
    borrowing func deleteExpiredTokens(of device: DeviceID, realNow: Timestamp) throws {
        try execute(
            "DELETE FROM device_token WHERE device_id = ?1 AND expires_real_ms <= ?2",
            [.integer(device.rawValue), .integer(realNow.milliseconds)])
    }

    /// Deletes the oldest tokens of a device on which nobody is signed in, but for some.
    borrowing func deleteTokensWithoutAccount(of device: DeviceID, but kept: Int64) throws {
        let extra = try rows(
            """
            SELECT digest FROM device_token WHERE device_id = ?1 AND account_id IS NULL
            ORDER BY expires_real_ms DESC LIMIT 1000 OFFSET ?2
            """, [.integer(device.rawValue), .integer(kept)])
        for token in extra { try deleteToken(digest: token.blob(0)) }
    }

    /// Looks at the next few devices and deletes those that nobody used: no account on a token, no
    /// attempt, no purchase, no receipt, no restore, and no registration since a time.
    ///
    /// Gives where to go on; the beginning, after the last one.
    borrowing func dropUnusedDevices(
        after last: DeviceID, lookingAt count: Int, registeredBefore time: Timestamp
    ) throws -> DeviceID {
        let expiry = time.adding(milliseconds: Limits.tokenMilliseconds)
        let found = try rows(
            """
            SELECT id, CASE WHEN
                EXISTS (SELECT 1 FROM device_token WHERE device_id = device.id
                    AND (account_id IS NOT NULL OR expires_real_ms > ?2))
                OR EXISTS (SELECT 1 FROM attempt WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM store_transaction WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM device_receipt WHERE device_id = device.id)
                OR EXISTS (SELECT 1 FROM restore WHERE device_id = device.id)
                THEN 1 ELSE 0 END
            FROM device WHERE id > ?1 ORDER BY id LIMIT ?3
            """,
            [.integer(last.rawValue), .integer(expiry.milliseconds), .integer(Int64(count))])
        for row in found where row.integer(1) == 0 {
            let id = SQLValue.integer(row.integer(0))
            try execute("DELETE FROM device_token WHERE device_id = ?1", [id])
            try execute("DELETE FROM key_value_request WHERE device_id = ?1", [id])
            try execute("DELETE FROM device WHERE id = ?1", [id])
        }
        return DeviceID(found.count < count ? 0 : found.last?.integer(0) ?? 0)
    }
}
