import StoreDatabase
import StoreModel

/// Limits what a user can leave behind by sending purchases that were already granted, or granted
/// and refunded: beyond it they are answered from the record.
enum RepeatRecords {
    /// Whether a user sent so many of them within the window that no more are stored. Those dated in
    /// the future are left out, as with refusals.
    static func areMany(
        _ scope: borrowing WriteScope, of user: BackendUserID, now: Timestamp
    ) throws -> Bool {
        try scope.row(
            """
            SELECT 1 FROM submissions WHERE user_id = ? AND received_at BETWEEN ? AND ?
                AND (state = 'alreadyGranted' OR (state = 'refused' AND is_own = 1))
            ORDER BY received_at DESC LIMIT 1 OFFSET ?
            """,
            [
                user, now.adding(milliseconds: 1 - BackendLimits.repeatWindowMilliseconds), now,
                BackendLimits.repeatsPerUserMax - 1,
            ]) != nil
    }

    /// The newest submission for which a claimed purchase was granted to the same user.
    static func granted(
        _ scope: borrowing WriteScope, _ claim: PurchaseClaim, to user: BackendUserID
    ) throws -> SubmissionID? {
        try scope.value(
            """
            SELECT id FROM submissions
            WHERE transaction_id = ? AND user_id = ? AND product_id = ?
                AND state IN ('granted', 'alreadyGranted')
            ORDER BY received_at DESC, id DESC LIMIT 1
            """, [claim.transactionID, user, claim.productID])
    }
}
