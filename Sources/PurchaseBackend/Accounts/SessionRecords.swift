import StoreDatabase
import StoreModel

enum SessionRecords {
    /// The user of a token that has not expired.
    static func user(
        _ scope: borrowing ReadScope, tokenHash: [UInt8], now: Timestamp
    ) throws -> BackendUserID? {
        try scope.row(
            "SELECT user_id FROM sessions WHERE token_hash = ? AND expires_at > ?",
            [.blob(tokenHash), .integer(now.milliseconds)]
        ).map { BackendUserID($0.text(0)) }
    }

    /// Adds a session and ends the user's expired ones and the oldest above the limit.
    static func insert(
        _ scope: borrowing WriteScope, tokenHash: [UInt8], user: BackendUserID, now: Timestamp
    ) throws {
        let end = now.adding(milliseconds: BackendLimits.sessionLifetimeMilliseconds)
        try scope.execute(
            "DELETE FROM sessions WHERE user_id = ? AND expires_at <= ?",
            [.text(user.rawValue), .integer(now.milliseconds)])
        try scope.execute(
            """
            DELETE FROM sessions WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE user_id = ?
                ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ?)
            """,
            [
                .text(user.rawValue), .integer(Int64(BackendLimits.sessionsPerUserMax - 1)),
            ])
        try scope.execute(
            """
            INSERT INTO sessions (token_hash, user_id, created_at, expires_at)
            VALUES (?, ?, ?, ?)
            """,
            [
                .blob(tokenHash), .text(user.rawValue), .integer(now.milliseconds),
                .integer(end.milliseconds),
            ])
    }

    static func delete(_ scope: borrowing WriteScope, tokenHash: [UInt8]) throws {
        try scope.execute("DELETE FROM sessions WHERE token_hash = ?", [.blob(tokenHash)])
    }
}
