import StoreDatabase
import StoreModel

/// Bounds what a user can leave behind by sending receipts that are refused.
enum RefusalQueries {
    /// When a user with too many refusals within the window may send the next receipt; nil when
    /// it may now.
    ///
    /// Refusals from later than now are left out: the clock was put back since, and they would
    /// turn the user away until it is there again.
    static func end(
        _ scope: borrowing WriteScope, of user: BackendUserID, now: Timestamp
    ) throws -> Timestamp? {
        try scope.row(
            """
            SELECT changed_at FROM submissions WHERE user_id = ? AND state = 'refused'
                AND changed_at <= ?
            ORDER BY changed_at DESC LIMIT 1 OFFSET ?
            """,
            [
                .text(user.rawValue), .integer(now.milliseconds),
                .integer(Int64(BackendLimits.refusalsPerUserMax - 1)),
            ]
        ).map {
            Timestamp(milliseconds: $0.integer(0))
                .adding(milliseconds: BackendLimits.refusalWindowMilliseconds)
        }.flatMap { $0 > now ? $0 : nil }
    }

    /// Lets go of the bytes of a user's refused receipts behind the newest ones, unless a
    /// submission that was not refused holds the same; the rows and their history stay.
    static func dropOldReceipts(
        _ scope: borrowing WriteScope, of user: BackendUserID, by trial: Trial
    ) throws {
        let kept = Int64(BackendLimits.refusedReceiptsPerUserMax)
        let old = try scope.rows(
            """
            SELECT s.id, s.receipt_sha256 FROM submissions s
            WHERE s.user_id = ?1 AND s.state = 'refused'
            ORDER BY s.changed_at DESC, s.id LIMIT ?2 OFFSET ?3
            """,
            [
                .text(user.rawValue), .integer(Int64(BackendLimits.refusedReceiptsDroppedMax)),
                .integer(kept),
            ])
        for row in old {
            let touched = try scope.execute(
                """
                UPDATE receipts SET bytes = x'', dropped_at = ?3
                WHERE sha256 = ?1 AND dropped_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM submissions o
                        WHERE o.receipt_sha256 = ?1 AND o.state != 'refused')
                    AND ?1 NOT IN (SELECT n.receipt_sha256 FROM submissions n
                        WHERE n.user_id = ?2 AND n.state = 'refused'
                        ORDER BY n.changed_at DESC, n.id LIMIT ?4)
                """,
                [
                    .blob(row.blob(1)), .text(user.rawValue),
                    .integer(trial.now.milliseconds), .integer(kept),
                ])
            guard touched == 1 else { continue }
            try HistoryQueries.add(
                scope, SubmissionID(row.text(0)),
                HistoryEntry("receiptDropped", requestID: trial.requestID, now: trial.now))
        }
    }
}
