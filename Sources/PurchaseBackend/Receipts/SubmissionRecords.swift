import StoreDatabase
import StoreModel
import StoreWire

/// What a submission says, before it has a row.
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
    /// Tries since somebody last asked for it; the wait follows them.
    let roundTries: Int64
    let giveUpAt: Timestamp?
    let stalledAt: Timestamp?
    /// When the store was asked last, or was about to be.
    let lastTryAt: Timestamp?
    /// How often the store called the receipt malformed in the worker's tries.
    let malformedAnswers: Int64
}

/// What just became of a submission: by whom, when, and what the store said.
struct Trial: Hashable, Sendable {
    let requestID: String
    let now: Timestamp
    /// Nil when the store was not asked.
    var asked: StoreTry?
}

/// What became of storing a submission.
enum StoredSubmission: Hashable, Sendable {
    case open(SubmissionID)
    /// It was tried a moment ago: it stays kept, and the store is not asked again so soon.
    case kept(SubmissionID)
    case tooManyOpen
    /// It is large, and too much of what is large was not granted.
    case noRoom
    case tooManyRefused(until: Timestamp)
    case tooManyRepeated(until: Timestamp)
}

enum SubmissionRecords {
    private static let columns = """
        id, user_id, receipt_sha256, product_id, transaction_id, app_version, pass_through,
        state, reason, store_status, message, tries, round_tries, give_up_at, stalled_at,
        malformed_answers, last_try_at
        """

    /// Keeps the receipt and a row for it; an open submission that says the same is taken up
    /// again instead, unless it was tried within `restMilliseconds`.
    static func store(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp,
        restMilliseconds: Int64
    ) throws -> StoredSubmission {
        if let twin = try openTwin(scope, of: new) {
            try takeUp(scope, twin, new, now: now, firstTryAt: firstTryAt)
            // What lies in the future was written under another clock.
            let rest = now.adding(milliseconds: -restMilliseconds)
            if let last = twin.lastTryAt, last > rest, last <= now { return .kept(twin.id) }
            try noteTry(scope, twin.id, at: now)
            return .open(twin.id)
        }
        if let end = try RefusalRecords.end(scope, of: new.user, now: now) {
            return .tooManyRefused(until: end)
        }
        if let end = try RepeatRecords.end(scope, of: new.user, now: now) {
            return .tooManyRepeated(until: end)
        }
        let count = try scope.row(
            """
            SELECT count(*) FROM submissions
            WHERE user_id = ? AND next_try_at IS NOT NULL AND stalled_at IS NULL
            """, [.text(new.user.rawValue)])
        guard (count?.integer(0) ?? 0) < BackendLimits.openSubmissionsPerUserMax else {
            return .tooManyOpen
        }
        guard try LargeReceiptRecords.hasRoom(scope, for: new) else { return .noRoom }
        try insert(scope, new, now: now, firstTryAt: firstTryAt)
        return .open(new.id)
    }

    /// Notes that an open submission came again, which also ends its being given up.
    private static func takeUp(
        _ scope: borrowing WriteScope, _ twin: SubmissionRow, _ new: NewSubmission,
        now: Timestamp, firstTryAt: Timestamp
    ) throws {
        let times = try scope.rows(
            """
            UPDATE submissions SET times_received = times_received + 1 WHERE id = ?
            RETURNING times_received
            """, [.text(twin.id.rawValue)]
        ).first?.integer(0)
        if twin.stalledAt != nil {
            try reopen(scope, twin.id, nextTryAt: firstTryAt, now: now)
        } else if (times ?? 0) > BackendLimits.timesReceivedInHistoryMax {
            return
        }
        try HistoryRecords.add(
            scope, twin.id, HistoryEntry("receivedAgain", requestID: new.requestID, now: now))
    }

    /// Notes that the store is about to be asked, so that others that come meanwhile do not ask.
    private static func noteTry(
        _ scope: borrowing WriteScope, _ id: SubmissionID, at now: Timestamp
    ) throws {
        try scope.execute(
            "UPDATE submissions SET last_try_at = ? WHERE id = ?",
            [.integer(now.milliseconds), .text(id.rawValue)])
    }

    private static func openTwin(
        _ scope: borrowing WriteScope, of new: NewSubmission
    ) throws -> SubmissionRow? {
        try scope.rows(
            """
            SELECT \(columns) FROM submissions
            WHERE user_id = ? AND transaction_id = ? AND next_try_at IS NOT NULL
            """, [.text(new.user.rawValue), .text(new.claim.transactionID)]
        ).map(submission).first {
            $0.receiptHash == new.receiptHash && $0.claim == new.claim
                && $0.passThrough == new.passThrough
        }
    }

    private static func insert(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO receipts (sha256, first_received_at, bytes) VALUES (?, ?, ?)
            ON CONFLICT (sha256) DO UPDATE SET bytes = excluded.bytes, dropped_at = NULL
            WHERE receipts.dropped_at IS NOT NULL
            """, [.blob(new.receiptHash), .integer(now.milliseconds), .blob(new.receipt)])
        try LargeReceiptRecords.add(scope, hash: new.receiptHash, of: new.user)
        try scope.execute(
            """
            INSERT INTO submissions (id, user_id, receipt_sha256, product_id, transaction_id,
                app_version, pass_through, state, tries, received_at, changed_at, next_try_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'received', 0, ?, ?, ?)
            """,
            [
                .text(new.id.rawValue), .text(new.user.rawValue), .blob(new.receiptHash),
                .text(new.claim.productID), .text(new.claim.transactionID),
                .text(new.claim.appVersion), new.passThrough.map(SQLValue.text) ?? .null,
                .integer(now.milliseconds), .integer(now.milliseconds),
                .integer(firstTryAt.milliseconds),
            ])
        try HistoryRecords.add(
            scope, new.id, HistoryEntry("received", requestID: new.requestID, now: now))
    }

    static func find(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [.text(id.rawValue)])
            .map(submission)
    }

    static func find(_ scope: borrowing WriteScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [.text(id.rawValue)])
            .map(submission)
    }

    /// The environment that was asked last; nil before any was.
    static func environment(
        _ id: SubmissionID, _ scope: borrowing ReadScope
    ) throws -> StoreEnvironment? {
        try scope.row("SELECT environment FROM submissions WHERE id = ?", [.text(id.rawValue)])?
            .textOrNil(0).flatMap(StoreEnvironment.init(rawValue:))
    }

    /// Nil when its bytes were let go of.
    static func receipt(_ scope: borrowing ReadScope, hash: [UInt8]) throws -> [UInt8]? {
        try scope.row(
            "SELECT bytes FROM receipts WHERE sha256 = ? AND dropped_at IS NULL", [.blob(hash)]
        )?.blob(0)
    }

    /// Open submissions whose time has come, the longest waiting first, and those that wait longer
    /// than anything does, since the clock that said when was ahead of this one.
    ///
    /// Among the longest waiting, one of each user comes before a second of anybody, so that a user
    /// with many does not keep the others waiting. Both are looked at along the index and no
    /// further than that: after an outage everything is due, and this is asked each round.
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
                .integer(now.milliseconds),
                .integer(now.adding(milliseconds: waitMillisecondsMax).milliseconds),
                // Where those stand that were given up.
                .integer(Timestamp.range.upperBound.milliseconds), .integer(Int64(countMax)),
                .integer(BackendLimits.workerWindowMax),
            ]
        ).map { SubmissionID($0.text(0)) }
    }

    /// Makes every submission that a request was busy with when the last process ended due now.
    static func takeUpAbandoned(_ scope: borrowing WriteScope, now: Timestamp) throws {
        try scope.execute(
            "UPDATE submissions SET next_try_at = ? WHERE state = 'received' AND next_try_at > ?",
            [.integer(now.milliseconds), .integer(now.milliseconds)])
    }

    /// Ends an open submission; one that ended before stays as it is.
    static func settle(
        _ scope: borrowing WriteScope, _ id: SubmissionID, _ end: SubmissionEnd, by tried: Trial
    ) throws {
        let touched = try scope.execute(
            """
            UPDATE submissions SET state = ?, reason = ?, store_status = ?, message = ?,
                original_transaction_id = coalesce(?, original_transaction_id),
                changed_at = ?, next_try_at = NULL, stalled_at = NULL
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                .text(end.state.rawValue), .text(end.reason),
                .integer(end.storeStatus.map(Int64.init)), .text(end.message),
                .text(end.originalTransactionID), .integer(tried.now.milliseconds),
                .text(id.rawValue),
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
                .text(reason), .integer(giveUpAt.milliseconds),
                .integer(tried.now.milliseconds),
                .integer((nextTryAt ?? Timestamp.range.upperBound).milliseconds),
                nextTryAt == nil ? .integer(tried.now.milliseconds) : .null,
                .text(id.rawValue),
            ])
        guard touched == 1 else { return }
        if nextTryAt == nil {
            if let before { try LargeReceiptRecords.rest(scope, hash: before.receiptHash) }
            try HistoryRecords.add(scope, id, try entry("stalled", reason, scope, id, tried))
        } else if before.map({ isNews(reason, after: $0) }) ?? true {
            try HistoryRecords.add(scope, id, try entry("kept", reason, scope, id, tried))
        }
    }

    /// Whether a try that decided nothing has an entry of its own: a store that is down for days
    /// would fill the history with one sentence.
    private static func isNews(_ reason: String, after row: SubmissionRow) -> Bool {
        let tries = row.roundTries + 1
        // Two time-outs differ in their milliseconds only.
        let isSame = row.message?.filter { !$0.isNumber } == reason.filter { !$0.isNumber }
        return !isSame || tries <= BackendLimits.triesInHistoryMax || tries & (tries - 1) == 0
    }

    /// Counts that the store was asked, whatever comes of it.
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
                .integer(asked.triedAt.milliseconds), .text(asked.environment.rawValue),
                .integer(asked.httpStatus.map(Int64.init)),
                .integer(asked.storeStatus.map(Int64.init)), .integer(countsAsMalformed ? 1 : 0),
                .text(id.rawValue),
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
            """,
            [
                .integer(now.milliseconds), .integer(nextTryAt.milliseconds), .text(id.rawValue),
            ])
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

    private static func submission(_ row: Row) -> SubmissionRow {
        SubmissionRow(
            id: SubmissionID(row.text(0)), user: BackendUserID(row.text(1)),
            receiptHash: row.blob(2),
            claim: PurchaseClaim(
                productID: row.text(3), transactionID: row.text(4), appVersion: row.text(5)),
            passThrough: row.textOrNil(6),
            // The table's check admits no other state.
            state: ReceiptOutcomeBody.Status(rawValue: row.text(7)) ?? .received,
            reason: row.textOrNil(8), storeStatus: row.integerOrNil(9),
            message: row.textOrNil(10), tries: row.integer(11), roundTries: row.integer(12),
            giveUpAt: row.integerOrNil(13).map(Timestamp.init(milliseconds:)),
            stalledAt: row.integerOrNil(14).map(Timestamp.init(milliseconds:)),
            lastTryAt: row.integerOrNil(16).map(Timestamp.init(milliseconds:)),
            malformedAnswers: row.integer(15))
    }
}
