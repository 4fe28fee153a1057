import StoreDatabase
import StoreModel
import StoreWire

/// What an operator looks up, in the shape in which it is told.
enum LookupRecords {
    private static let columns = """
        s.id, s.user_id, u.name, s.product_id, s.transaction_id, s.app_version, s.state,
        s.receipt_sha256, length(r.bytes), r.dropped_at, s.received_at, s.changed_at,
        s.times_received, s.tries, s.original_transaction_id, s.environment, s.http_status,
        s.last_store_status, s.last_try_at, s.next_try_at, s.stalled_at, s.reason, s.message
        """
    private static let tables = """
        submissions s JOIN users u ON u.id = s.user_id
        JOIN receipts r ON r.sha256 = s.receipt_sha256
        """

    /// The submissions that fit, newest first.
    static func submissions(
        _ scope: borrowing ReadScope, _ filter: SubmissionFilter, user: BackendUserID?,
        countMax: Int
    ) throws -> [OperatorSubmissionBody] {
        var conditions: [String] = []
        var values: [SQLValue] = []
        func require(_ condition: String, _ new: SQLValue...) {
            conditions.append(condition)
            values += new
        }
        if let user { require("s.user_id = ?", .text(user.rawValue)) }
        if let transaction = filter.transaction {
            require(
                "(s.transaction_id = ? OR s.original_transaction_id = ?)", .text(transaction),
                .text(transaction))
        }
        if let hash = filter.receiptHash { require("s.receipt_sha256 = ?", .blob(hash)) }
        switch filter.state {
        case .stalled?: require("s.state = 'kept' AND s.stalled_at IS NOT NULL")
        case .kept?: require("s.state = 'kept' AND s.stalled_at IS NULL")
        case let state?: require("s.state = ?", .text(state.rawValue))
        case nil: break
        }
        if let after = filter.after {
            require(
                "(s.received_at, s.id) < (SELECT received_at, id FROM submissions WHERE id = ?)",
                .text(after))
        }
        return try scope.rows(
            """
            SELECT \(columns) FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY s.received_at DESC, s.id DESC LIMIT ?
            """, values + [.integer(Int64(countMax))]
        ).map(body)
    }

    static func submission(
        _ scope: borrowing ReadScope, _ id: SubmissionID
    ) throws -> OperatorSubmissionBody? {
        try scope.row(
            "SELECT \(columns) FROM \(tables) WHERE s.id = ?", [.text(id.rawValue)]
        ).map(body)
    }

    /// The user of a name, as people compare names, or of an identifier.
    static func user(
        _ scope: borrowing ReadScope, _ id: String, nameKey: String
    ) throws -> BackendUserID? {
        try scope.row(
            "SELECT id FROM users WHERE id = ?1 OR name_key = ?2 ORDER BY id = ?1 DESC LIMIT 1",
            [.text(id), .text(nameKey)]
        ).map { BackendUserID($0.text(0)) }
    }

    /// Whether what was granted for a submission's transaction was refunded since.
    static func isRefunded(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> Bool {
        guard let submission = try submission(scope, id) else { return false }
        return try grant(scope, of: submission)?.refundedAt != nil
    }

    /// What was granted for a transaction, by whichever of its numbers.
    static func grant(
        _ scope: borrowing ReadScope, of submission: OperatorSubmissionBody
    ) throws -> OperatorGrantBody? {
        let original = submission.originalTransactionId ?? submission.transactionId
        let environments = StoreEnvironment.allCases.filter {
            submission.environment == nil || submission.environment == $0.wireName
        }
        for environment in environments {
            for (column, number) in [
                ("transaction_id", submission.transactionId),
                ("key_transaction", submission.transactionId), ("key_transaction", original),
            ] {
                let row = try scope.row(
                    """
                    SELECT g.user_id, u.name, g.submission_id, g.product_id, g.kind,
                        g.transaction_id, g.original_transaction_id, g.quantity, g.granted_at,
                        g.refunded_at, g.refund_seen_at
                    FROM grants g JOIN users u ON u.id = g.user_id
                    WHERE g.environment = ? AND g.\(column) = ? LIMIT 1
                    """, [.text(environment.rawValue), .text(number)])
                if let row { return grant(row, environment) }
            }
        }
        return nil
    }

    private static func grant(_ row: Row, _ environment: StoreEnvironment) -> OperatorGrantBody {
        OperatorGrantBody(
            userId: row.text(0), userName: row.text(1), submissionId: row.text(2),
            productId: row.text(3), kind: row.text(4), transactionId: row.text(5),
            originalTransactionId: row.text(6), environment: environment.wireName,
            quantity: Int(row.integer(7)), grantedAt: row.integer(8),
            refundedAt: row.integerOrNil(9), refundSeenAt: row.integerOrNil(10))
    }

    private static func body(_ row: Row) -> OperatorSubmissionBody {
        let stalledAt = row.integerOrNil(20)
        // The table's check admits no other state.
        let state = OperatorSubmissionBody.State(rawValue: row.text(6)) ?? .received
        var body = OperatorSubmissionBody(
            submissionId: row.text(0), userId: row.text(1), userName: row.text(2),
            productId: row.text(3), transactionId: row.text(4), appVersion: row.text(5),
            state: stalledAt == nil ? state : .stalled,
            receipt: .init(
                sha256: hexadecimal(row.blob(7)), byteCount: Int(row.integer(8)),
                droppedAt: row.integerOrNil(9)),
            receivedAt: row.integer(10), changedAt: row.integer(11),
            timesReceived: Int(row.integer(12)), tries: Int(row.integer(13)))
        body.originalTransactionId = row.textOrNil(14)
        body.environment =
            row.textOrNil(15)
            .flatMap(StoreEnvironment.init(rawValue:))?.wireName
        body.httpStatus = row.integerOrNil(16).map { Int($0) }
        body.storeStatus = row.integerOrNil(17).map { Int($0) }
        body.lastTriedAt = row.integerOrNil(18)
        body.nextTryAt = stalledAt == nil ? row.integerOrNil(19) : nil
        body.stalledAt = stalledAt
        body.reason = row.textOrNil(21)
        body.message = row.textOrNil(22)
        return body
    }
}
