import StoreDatabase
import StoreModel

enum SessionRecords {
    /// The user of a token that has not expired.
    static func user(
        _ scope: borrowing ReadScope, tokenHash: [UInt8], now: Timestamp
    ) throws -> BackendUserID? {
        try scope.value(
            "SELECT user_id FROM sessions WHERE token_hash = ? AND expires_at > ?",
            [tokenHash, now])
    }

    /// The user whose token it is or was. Of those that have ended, only the newest are remembered.
    static func owner(
        _ scope: borrowing ReadScope, tokenHash: [UInt8]
    ) throws -> BackendUserID? {
        try scope.value("SELECT user_id FROM sessions WHERE token_hash = ?", [tokenHash])
    }

    /// Adds a session and ends the user's oldest above the limit. A session that has ended stays for
    /// a while, so that its device is known at the next sign-in.
    static func insert(
        _ scope: borrowing WriteScope, tokenHash: [UInt8], user: BackendUserID, now: Timestamp
    ) throws {
        let end = now.adding(milliseconds: BackendLimits.sessionLifetimeMilliseconds)
        try scope.execute(
            """
            UPDATE sessions SET expires_at = 0 WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE user_id = ? AND expires_at > ?
                ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ?)
            """, [user, now, BackendLimits.sessionsPerUserMax - 1])
        try scope.execute(
            """
            DELETE FROM sessions WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE user_id = ? AND expires_at <= ?
                ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ?)
            """, [user, now, BackendLimits.endedSessionsPerUserMax])
        try scope.insert(
            into: "sessions",
            [
                "token_hash": tokenHash, "user_id": user, "created_at": now, "expires_at": end,
            ])
    }

    static func end(_ scope: borrowing WriteScope, tokenHash: [UInt8]) throws {
        try scope.execute("UPDATE sessions SET expires_at = 0 WHERE token_hash = ?", [tokenHash])
    }
}
