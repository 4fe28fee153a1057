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
    let tries: Int64

    var isOpen: Bool { state == .received || state == .kept }
}

enum SubmissionQueries {
    private static let columns = """
        id, user_id, receipt_sha256, product_id, transaction_id, app_version, pass_through,
        state, reason, store_status, message, tries
        """

    /// Keeps the receipt and a row for it; an open submission that says the same is taken up
    /// again instead. Nil when the user has too many open ones.
    static func store(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp
    ) throws -> SubmissionID? {
        if let open = try openTwin(scope, of: new) {
            try addEvent(
                scope, open, state: "receivedAgain", requestID: new.requestID, detail: nil, now: now
            )
            return open
        }
        let count = try scope.row(
            "SELECT count(*) FROM submissions WHERE user_id = ? AND next_try_at IS NOT NULL",
            [.text(new.user.rawValue)])
        guard (count?.integer(0) ?? 0) < BackendLimits.openSubmissionsPerUserMax else {
            return nil
        }
        try insert(scope, new, now: now, firstTryAt: firstTryAt)
        return new.id
    }

    private static func openTwin(
        _ scope: borrowing WriteScope, of new: NewSubmission
    ) throws -> SubmissionID? {
        try scope.rows(
            """
            SELECT \(columns) FROM submissions
            WHERE user_id = ? AND transaction_id = ? AND next_try_at IS NOT NULL
            """, [.text(new.user.rawValue), .text(new.claim.transactionID)]
        ).map(submission).first {
            $0.receiptHash == new.receiptHash && $0.claim == new.claim
                && $0.passThrough == new.passThrough
        }?.id
    }

    private static func insert(
        _ scope: borrowing WriteScope, _ new: NewSubmission, now: Timestamp, firstTryAt: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO receipts (sha256, first_received_at, bytes) VALUES (?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """, [.blob(new.receiptHash), .integer(now.milliseconds), .blob(new.receipt)])
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
        try addEvent(
            scope, new.id, state: "received", requestID: new.requestID, detail: nil, now: now)
    }

    static func find(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [.text(id.rawValue)])
            .map(submission)
    }

    static func find(_ scope: borrowing WriteScope, _ id: SubmissionID) throws -> SubmissionRow? {
        try scope.row("SELECT \(columns) FROM submissions WHERE id = ?", [.text(id.rawValue)])
            .map(submission)
    }

    static func receipt(_ scope: borrowing ReadScope, hash: [UInt8]) throws -> [UInt8]? {
        try scope.row("SELECT bytes FROM receipts WHERE sha256 = ?", [.blob(hash)])?.blob(0)
    }

    /// Open submissions whose time has come, the longest waiting first.
    static func due(
        _ scope: borrowing ReadScope, now: Timestamp, countMax: Int
    ) throws -> [SubmissionID] {
        try scope.rows(
            """
            SELECT id FROM submissions WHERE next_try_at <= ?
            ORDER BY next_try_at, id LIMIT ?
            """, [.integer(now.milliseconds), .integer(Int64(countMax))]
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
        _ scope: borrowing WriteScope, _ id: SubmissionID, _ end: SubmissionEnd,
        requestID: String, now: Timestamp
    ) throws {
        let touched = try scope.execute(
            """
            UPDATE submissions SET state = ?, reason = ?, store_status = ?, message = ?,
                tries = tries + 1, changed_at = ?, next_try_at = NULL
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                .text(end.state.rawValue), end.reason.map(SQLValue.text) ?? .null,
                end.storeStatus.map { SQLValue.integer(Int64($0)) } ?? .null,
                end.message.map(SQLValue.text) ?? .null, .integer(now.milliseconds),
                .text(id.rawValue),
            ])
        guard touched == 1 else { return }
        try addEvent(
            scope, id, state: end.state.rawValue, requestID: requestID,
            detail: end.reason.map { reason in
                end.storeStatus.map { "\(reason) \($0)" } ?? reason
            }, now: now)
    }

    /// Keeps an open submission for another try.
    static func keep(
        _ scope: borrowing WriteScope, _ id: SubmissionID, reason: String, nextTryAt: Timestamp,
        requestID: String, now: Timestamp
    ) throws {
        let before = try find(scope, id)
        let touched = try scope.execute(
            """
            UPDATE submissions SET state = 'kept', reason = NULL, message = ?,
                tries = tries + 1, changed_at = ?, next_try_at = ?
            WHERE id = ? AND next_try_at IS NOT NULL
            """,
            [
                .text(reason), .integer(now.milliseconds), .integer(nextTryAt.milliseconds),
                .text(id.rawValue),
            ])
        // A store that is down for days is one event, not one per try.
        guard touched == 1, before?.state != .kept || before?.message != reason else { return }
        try addEvent(
            scope, id, state: "kept", requestID: requestID, detail: reason, now: now)
    }

    private static func addEvent(
        _ scope: borrowing WriteScope, _ id: SubmissionID, state: String, requestID: String,
        detail: String?, now: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO submission_events (submission_id, at, state, request_id, detail)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .text(id.rawValue), .integer(now.milliseconds), .text(state), .text(requestID),
                detail.map(SQLValue.text) ?? .null,
            ])
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
            message: row.textOrNil(10), tries: row.integer(11))
    }
}
