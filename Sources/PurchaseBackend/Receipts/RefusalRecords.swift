import StoreDatabase
import StoreModel

/// Limits what a user can leave behind by sending receipts that are refused.
enum RefusalRecords {
    /// When a user with too many refusals within the window may send the next receipt; nil when it
    /// may be sent now.
    ///
    /// Refusals of the user's own purchases (`isOwn`) do not count: nobody who is told of refunds may
    /// be kept from buying. Those dated in the future are left out, too: the clock was put back
    /// since, and they would turn the user away until it catches up.
    static func end(
        _ scope: borrowing WriteScope, of user: BackendUserID, now: Timestamp
    ) throws -> Timestamp? {
        let last: Timestamp? = try scope.value(
            """
            SELECT changed_at FROM submissions WHERE user_id = ? AND state = 'refused'
                AND changed_at BETWEEN ? AND ? AND is_own = 0
            ORDER BY changed_at DESC LIMIT 1 OFFSET ?
            """,
            [
                user, now.adding(milliseconds: 1 - BackendLimits.refusalWindowMilliseconds), now,
                BackendLimits.refusalsPerUserMax - 1,
            ])
        return last?.adding(milliseconds: BackendLimits.refusalWindowMilliseconds)
    }

    /// Whether a refused purchase is nevertheless the user's: granted before, or shown as revoked
    /// by the store and not yet refused for that. It counts as a repeat.
    static func isOwn(
        _ scope: borrowing WriteScope, _ row: SubmissionRow, _ refusal: GrantRefusal
    ) throws -> Bool {
        if try RepeatRecords.granted(scope, row.claim, to: row.user) != nil { return true }
        guard refusal == .cancelled else { return false }
        return try scope.row(
            """
            SELECT 1 FROM submissions WHERE transaction_id = ? AND user_id = ? AND id <> ?
                AND state = 'refused' AND reason = ? LIMIT 1
            """, [row.claim.transactionID, row.user, row.id, refusal.code]) == nil
    }

    /// Deletes the bytes of receipts after another submission was refused: of a user's refused ones
    /// older than the newest, and of a large one that must make room. The rows and their history
    /// stay.
    static func dropReceipts(
        _ scope: borrowing WriteScope, after refused: SubmissionRow, by trial: Trial
    ) throws {
        let old = try scope.rows(
            """
            SELECT s.id, s.receipt_sha256 FROM submissions s
            WHERE s.user_id = ?1 AND s.state = 'refused'
            ORDER BY s.changed_at DESC, s.id LIMIT ?2 OFFSET ?3
            """,
            [
                refused.user, BackendLimits.refusedReceiptsDroppedMax,
                BackendLimits.refusedReceiptsPerUserMax,
            ])
        for row in old {
            try drop(
                scope, hash: try row["receipt_sha256"], of: try row["id"], by: trial,
                unlessAmongNewestOf: refused.user)
        }
        if try LargeReceiptRecords.mustGo(scope, hash: refused.receiptHash) {
            try drop(scope, hash: refused.receiptHash, of: refused.id, by: trial)
        }
    }

    /// Deletes a receipt's bytes, unless a submission that was not refused, or one of a user's
    /// newest refused ones, has the same receipt.
    private static func drop(
        _ scope: borrowing WriteScope, hash: [UInt8], of submission: SubmissionID, by trial: Trial,
        unlessAmongNewestOf user: BackendUserID? = nil
    ) throws {
        let touched = try scope.execute(
            """
            UPDATE receipts SET bytes = ?5, dropped_at = ?3
            WHERE sha256 = ?1 AND dropped_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM submissions o
                    WHERE o.receipt_sha256 = ?1 AND o.state != 'refused')
                AND ?1 NOT IN (SELECT n.receipt_sha256 FROM submissions n
                    WHERE n.user_id = ?2 AND n.state = 'refused'
                    ORDER BY n.changed_at DESC, n.id LIMIT ?4)
            """,
            [
                hash, user, trial.now, BackendLimits.refusedReceiptsPerUserMax, [],
            ])
        guard touched == 1 else { return }
        try LargeReceiptRecords.remove(scope, hash: hash)
        try HistoryRecords.add(
            scope, submission,
            HistoryEntry("receiptDropped", requestID: trial.requestID, now: trial.now))
    }
}
