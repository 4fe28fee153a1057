import StoreDatabase
import StoreModel
import StoreWire

/// The content of a submission, before it has a row.
struct NewSubmission: Hashable, Sendable {
    let id: SubmissionID
    let user: BackendUserID
    let receipt: [UInt8]
    let receiptHash: [UInt8]
    let claim: PurchaseClaim
    /// JSON of the app's own fields; nil when it sent none.
    let passThrough: String?
    let requestID: String
}

/// A submission as the table holds it.
struct SubmissionRow: Hashable, Sendable {
    let id: SubmissionID
    let user: BackendUserID
    let receiptHash: [UInt8]
    let claim: PurchaseClaim
    let passThrough: String?
    let state: ReceiptOutcomeBody.Status
    let reason: String?
    let storeStatus: Int64?
    let message: String?
    /// How often the store was asked.
    let tries: Int64
    /// Tries since somebody last requested one; the wait depends on them.
    let roundTries: Int64
    let giveUpAt: Timestamp?
    let stalledAt: Timestamp?
    /// When the store was asked last, or was about to be.
    let lastTryAt: Timestamp?
    /// How often the store called the receipt malformed in the worker's tries.
    let malformedAnswers: Int64
}

/// An event of a submission: in which request, when, and what the store said.
struct Trial: Hashable, Sendable {
    let requestID: String
    let now: Timestamp
    /// Nil when the store was not asked.
    var asked: StoreTry?
}

/// The outcome of storing a submission.
enum StoredSubmission: Hashable, Sendable {
    case open(SubmissionID)
    /// It was tried a moment ago: it stays kept, and the store is not asked again so soon.
    case kept(SubmissionID)
    case tooManyOpen
    /// It is large, and large receipts that were not granted take too much room.
    case noRoom
    case tooManyRefused(until: Timestamp)
    /// It was granted before by another submission, which answers for it: the user sent too many.
    case known(SubmissionID)
}

extension ReceiptOutcomeBody.Status: ColumnValue {}

enum SubmissionRecords {
    private static let columns = """
        id, user_id, receipt_sha256, product_id, transaction_id, app_version, pass_through,
        state, reason, store_status, message, tries, round_tries, give_up_at, stalled_at,
        malformed_answers, last_try_at
        """

    /// Keeps the receipt and a row for it; an open submission with the same content is taken up
    /// again instead, unless it was tried within `restMilliseconds`.
    static func store(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp,
        restMilliseconds: Int64
    ) throws -> StoredSubmission {
        if let twin = try openTwin(scope, of: new) {
            try takeUp(scope, twin, new, now: now, firstTryAt: firstTryAt)
            // A time in the future was written under another clock.
            let rest = now.adding(milliseconds: -restMilliseconds)
            if let last = twin.lastTryAt, last > rest, last <= now { return .kept(twin.id) }
            try noteTry(scope, twin.id, at: now)
            return .open(twin.id)
        }
        let end = try RefusalRecords.end(scope, of: new.user, now: now)
        if try end != nil || RepeatRecords.areMany(scope, of: new.user, now: now),
            let known = try RepeatRecords.granted(scope, new.claim, to: new.user)
        {
            return .known(known)
        }
        if let end { return .tooManyRefused(until: end) }
        let count: Int? = try scope.value(
            """
            SELECT count(*) FROM submissions
            WHERE user_id = ? AND next_try_at IS NOT NULL AND stalled_at IS NULL
            """, [new.user])
        guard count ?? 0 < BackendLimits.openSubmissionsPerUserMax else {
            return .tooManyOpen
        }
        guard try LargeReceiptRecords.hasRoom(scope, for: new) else { return .noRoom }
        try insert(scope, new, now: now, firstTryAt: firstTryAt)
        return .open(new.id)
    }

    /// Notes that an open submission came again, which also revives one that was given up.
    private static func takeUp(
        _ scope: borrowing WriteScope, _ twin: SubmissionRow, _ new: NewSubmission,
        now: Timestamp, firstTryAt: Timestamp
    ) throws {
        let times: Int? = try scope.value(
            """
            UPDATE submissions SET times_received = times_received + 1 WHERE id = ?
            RETURNING times_received
            """, [twin.id])
        if twin.stalledAt != nil {
            try reopen(scope, twin.id, nextTryAt: firstTryAt, now: now)
        } else if (times ?? 0) > BackendLimits.timesReceivedInHistoryMax {
            return
        }
        try HistoryRecords.add(
            scope, twin.id, HistoryEntry("receivedAgain", requestID: new.requestID, now: now))
    }

    /// Notes that the store is about to be asked, so that repeats in the meantime do not ask too.
    private static func noteTry(
        _ scope: borrowing WriteScope, _ id: SubmissionID, at now: Timestamp
    ) throws {
        try scope.execute(
            "UPDATE submissions SET last_try_at = ? WHERE id = ?", [now, id])
    }

    private static func openTwin(
        _ scope: borrowing WriteScope, of new: NewSubmission
    ) throws -> SubmissionRow? {
        try scope.rows(
            """
            SELECT \(columns) FROM submissions
            WHERE user_id = ? AND transaction_id = ? AND next_try_at IS NOT NULL
            """, [new.user, new.claim.transactionID]
        ).map(submission).first {
            $0.receiptHash == new.receiptHash && $0.claim == new.claim
                && $0.passThrough == new.passThrough
        }
    }

    private static func insert(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp
    ) throws {
        try scope.insert(
            into: "receipts",
            [
                "sha256": new.receiptHash, "first_received_at": now, "bytes": new.receipt,
            ],
            "ON CONFLICT (sha256) DO UPDATE SET bytes = excluded.bytes, dropped_at = NULL WHERE receipts.dropped_at IS NOT NULL"
        )
        try LargeReceiptRecords.add(scope, hash: new.receiptHash, of: new.user)
        try scope.insert(
            into: "submissions",
            [
                "id": new.id, "user_id": new.user, "receipt_sha256": new.receiptHash,
                "product_id": new.claim.productID, "transaction_id": new.claim.transactionID,
                "app_version": new.claim.appVersion,
                "pass_through": new.passThrough, "state": "received",
                "tries": 0, "received_at": now, "changed_at": now, "next_try_at": firstTryAt,
            ])
        try HistoryRecords.add(
            scope, new.id, HistoryEntry("received", requestID: new.requestID, now: now))
    }

    static func find(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [id])
            .map(submission)
    }

    static func find(_ scope: borrowing WriteScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [id])
            .map(submission)
    }

    /// The environment that was asked last; nil before any was.
    static func environment(
        _ id: SubmissionID, _ scope: borrowing ReadScope
    ) throws -> StoreEnvironment? {
        try scope.value("SELECT environment FROM submissions WHERE id = ?", [id])
    }

    /// Nil when its bytes were deleted.
    static func receipt(_ scope: borrowing ReadScope, hash: [UInt8]) throws -> [UInt8]? {
        try scope.value(
            "SELECT bytes FROM receipts WHERE sha256 = ? AND dropped_at IS NULL", [hash])
    }

    /// Open submissions whose time has come, longest waiting first, and those due later than any
    /// wait allows, because the clock was ahead when they were scheduled.
    ///
    /// Among the longest waiting, one of each user comes before a second of anybody, so that a user
    /// with many does not delay the others. Both use the index, within a window: after an outage
    /// everything is due, and this runs each round.
    static func due(
        _ scope: borrowing ReadScope, now: Timestamp, waitMillisecondsMax: Int64, countMax: Int
    ) throws -> [SubmissionID] {
        try scope.rows(
            """
            SELECT id, next_try_at,
                row_number() OVER (PARTITION BY user_id ORDER BY next_try_at, id) AS place
            FROM (
                SELECT * FROM (SELECT id, user_id, next_try_at FROM submissions
                    WHERE next_try_at <= ?1 ORDER BY next_try_at LIMIT ?5) AS due
                UNION ALL
                SELECT * FROM (SELECT id, user_id, next_try_at FROM submissions
                    WHERE next_try_at > ?2 AND next_try_at < ?3 ORDER BY next_try_at LIMIT ?5) AS late
            ) AS waiting
            ORDER BY place, next_try_at, id LIMIT ?4
            """,
            [
                now, now.adding(milliseconds: waitMillisecondsMax),
                // The time at which given-up submissions are scheduled.
                Timestamp.range.upperBound, countMax, BackendLimits.workerWindowMax,
            ]
        ).map { try $0["id"] }
    }

    /// Makes due now every submission that a request was handling when the last process ended.
    static func takeUpAbandoned(_ scope: borrowing WriteScope, now: Timestamp) throws {
        try scope.execute(
            "UPDATE submissions SET next_try_at = ? WHERE state = 'received' AND next_try_at > ?",
            [now, now])
    }

    /// Ends an open submission; one that ended before stays as it is.
    static func settle(
        _ scope: borrowing WriteScope, _ id: SubmissionID, _ end: SubmissionEnd, by tried: Trial
    ) throws {
        let touched = try scope.execute(
            """
            UPDATE submissions SET state = ?, reason = ?, store_status = ?, message = ?,
                original_transaction_id = coalesce(?, original_transaction_id), is_own = ?,
                changed_at = ?, next_try_at = NULL, stalled_at = NULL
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                end.state, end.reason, end.storeStatus, end.message, end.originalTransactionID,
                end.isOwn, tried.now, id,
            ])
        guard touched == 1 else { return }
        if end.state != .refused, let row = try find(scope, id) {
            try LargeReceiptRecords.remove(scope, hash: row.receiptHash)
        }
        let detail = end.reason.map { reason in
            end.storeStatus.map { "\(reason) \($0)" } ?? reason
        }
        try HistoryRecords.add(scope, id, try entry(end.state.rawValue, detail, scope, id, tried))
    }

    /// Keeps an open submission for another try, or without one when `nextTryAt` is nil.
    static func keep(
        _ scope: borrowing WriteScope, _ id: SubmissionID, reason: String, giveUpAt: Timestamp,
        nextTryAt: Timestamp?, by tried: Trial
    ) throws {
        let before = try find(scope, id)
        let touched = try scope.execute(
            """
            UPDATE submissions SET state = 'kept', reason = NULL, message = ?,
                round_tries = round_tries + 1, give_up_at = ?, changed_at = ?, next_try_at = ?,
                stalled_at = ?
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                reason, giveUpAt, tried.now, nextTryAt ?? Timestamp.range.upperBound,
                nextTryAt == nil ? tried.now : nil as Timestamp?, id,
            ])
        guard touched == 1 else { return }
        if nextTryAt == nil {
            if let before { try LargeReceiptRecords.rest(scope, hash: before.receiptHash) }
            try HistoryRecords.add(scope, id, try entry("stalled", reason, scope, id, tried))
        } else if before.map({ isNews(reason, after: $0) }) ?? true {
            try HistoryRecords.add(scope, id, try entry("kept", reason, scope, id, tried))
        }
    }

    /// Whether an undecided try gets an entry of its own: a store that is down for days would fill
    /// the history with one sentence.
    private static func isNews(_ reason: String, after row: SubmissionRow) -> Bool {
        let tries = row.roundTries + 1
        // Two time-outs differ in their milliseconds only.
        let isSame = row.message?.filter { !$0.isNumber } == reason.filter { !$0.isNumber }
        return !isSame || tries <= BackendLimits.triesInHistoryMax || tries & (tries - 1) == 0
    }

    /// Counts that the store was asked, whatever the outcome.
    static func countTry(
        _ scope: borrowing WriteScope, _ id: SubmissionID, _ asked: StoreTry,
        countsAsMalformed: Bool
    ) throws {
        try scope.execute(
            """
            UPDATE submissions SET tries = tries + 1, last_try_at = ?, environment = ?,
                http_status = ?, last_store_status = ?,
                malformed_answers = malformed_answers + ?
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                asked.triedAt, asked.environment, asked.httpStatus, asked.storeStatus,
                countsAsMalformed, id,
            ])
    }

    /// Opens a kept, stalled or refused submission again, due at `nextTryAt`.
    static func reopen(
        _ scope: borrowing WriteScope, _ id: SubmissionID, nextTryAt: Timestamp, now: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE submissions SET
                state = CASE state WHEN 'refused' THEN 'kept' ELSE state END, reason = NULL,
                store_status = NULL, round_tries = 0, give_up_at = NULL, stalled_at = NULL,
                malformed_answers = 0, changed_at = ?, next_try_at = ?
            WHERE id = ? AND state IN ('received', 'kept', 'refused')
            """, [now, nextTryAt, id])
        if let row = try find(scope, id), row.state == .received || row.state == .kept {
            try LargeReceiptRecords.add(scope, hash: row.receiptHash, of: row.user)
        }
    }

    private static func entry(
        _ event: String, _ detail: String?, _ scope: borrowing WriteScope, _ id: SubmissionID,
        _ tried: Trial
    ) throws -> HistoryEntry {
        var entry = HistoryEntry(
            event, requestID: tried.requestID, now: tried.now, detail: detail)
        entry.asked = tried.asked
        if tried.asked != nil { entry.tryNumber = try find(scope, id)?.tries }
        return entry
    }

    private static func submission(_ row: Row) throws -> SubmissionRow {
        SubmissionRow(
            id: try row["id"], user: try row["user_id"],
            receiptHash: try row["receipt_sha256"],
            claim: PurchaseClaim(
                productID: try row["product_id"], transactionID: try row["transaction_id"],
                appVersion: try row["app_version"]),
            passThrough: try row["pass_through"],
            state: try row["state"],
            reason: try row["reason"], storeStatus: try row["store_status"],
            message: try row["message"], tries: try row["tries"],
            roundTries: try row["round_tries"],
            giveUpAt: try row["give_up_at"],
            stalledAt: try row["stalled_at"],
            lastTryAt: try row["last_try_at"],
            malformedAnswers: try row["malformed_answers"])
    }
}
