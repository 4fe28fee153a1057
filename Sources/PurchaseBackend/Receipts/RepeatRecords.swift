import StoreDatabase
import StoreModel

/// Limits what a user can leave behind by sending purchases that were already granted.
enum RepeatRecords {
    /// When a user who sent too many of them within the window may send the next receipt; nil
    /// when it may be sent now. Those dated in the future are left out, as with refusals.
    static func end(
        _ scope: borrowing WriteScope, of user: BackendUserID, now: Timestamp
    ) throws -> Timestamp? {
        let window = BackendLimits.repeatWindowMilliseconds
        let last: Timestamp? = try scope.value(
            """
            SELECT received_at FROM submissions WHERE user_id = ? AND state = 'alreadyGranted'
                AND received_at BETWEEN ? AND ?
            ORDER BY received_at DESC LIMIT 1 OFFSET ?
            """,
            [
                user, now.adding(milliseconds: 1 - window), now,
                BackendLimits.repeatsPerUserMax - 1,
            ])
        return last?.adding(milliseconds: window)
    }
}
