import StoreDatabase
import StoreModel
import StoreWire

/// Submissions and grants for the operator, in the shape of the answers.
enum LookupRecords {
    private static let columns = """
        s.id, s.user_id, u.name, s.product_id, s.transaction_id, s.app_version, s.state,
        s.receipt_sha256, length(r.bytes) AS byte_count, r.dropped_at, s.received_at, s.changed_at,
        s.times_received, s.tries, s.original_transaction_id, s.environment, s.http_status,
        s.last_store_status, s.last_try_at, s.next_try_at, s.stalled_at, s.reason, s.message
        """
    private static let tables = """
        submissions s JOIN users u ON u.id = s.user_id
        JOIN receipts r ON r.sha256 = s.receipt_sha256
        """

    /// The submissions that match, newest first.
    static func submissions(
        _ scope: borrowing ReadScope, _ filter: SubmissionFilter, user: BackendUserID?,
        countMax: Int
    ) throws -> [OperatorSubmissionBody] {
        var conditions: [String] = []
        var values: [any ColumnValue] = []
        func require(_ condition: String, _ new: any ColumnValue...) {
            conditions.append(condition)
            values += new
        }
        if let user { require("s.user_id = ?", user) }
        if let transaction = filter.transaction {
            require(
                "(s.transaction_id = ? OR s.original_transaction_id = ?)", transaction,
                transaction)
        }
        if let hash = filter.receiptHash { require("s.receipt_sha256 = ?", hash) }
        switch filter.state {
        case .stalled?: require("s.state = 'kept' AND s.stalled_at IS NOT NULL")
        case .kept?: require("s.state = 'kept' AND s.stalled_at IS NULL")
        case let state?: require("s.state = ?", state.rawValue)
        case nil: break
        }
        if let after = filter.after {
            require(
                "(s.received_at, s.id) < (SELECT received_at, id FROM submissions WHERE id = ?)",
                after)
        }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        return try scope.rows(submissions(where: condition), values + [countMax]).map(body)
    }

    /// Selects submissions under a condition, newest first; takes its values and a count.
    static func submissions(where condition: String) -> String {
        """
        SELECT \(columns) FROM \(tables) WHERE \(condition)
        ORDER BY s.received_at DESC, s.id DESC LIMIT ?
        """
    }

    static func submission(
        _ scope: borrowing ReadScope, _ id: SubmissionID
    ) throws -> OperatorSubmissionBody? {
        try scope.row(
            "SELECT \(columns) FROM \(tables) WHERE s.id = ?", [id]
        ).map(body)
    }

    /// The user of a name, compared as at sign-in, or of an identifier.
    static func user(
        _ scope: borrowing ReadScope, _ id: String, nameKey: String
    ) throws -> BackendUserID? {
        try scope.value(
            "SELECT id FROM users WHERE id = ?1 OR name_key = ?2 ORDER BY id = ?1 DESC LIMIT 1",
            [id, nameKey])
    }

    /// Selects the users whose names begin with a text, by their names; takes where the text begins
    /// and ends, and a count. For a later page, it begins behind the last name of the one before:
    /// with both bounds, SQLite would look from where the text begins.
    static func usersByName(isFirstPage: Bool) -> String {
        """
        SELECT id, name, created_at FROM users
        WHERE name_key \(isFirstPage ? ">=" : ">") ?1 AND name_key < ?2 ORDER BY name_key LIMIT ?3
        """
    }

    static func users(
        _ scope: borrowing ReadScope, _ filter: UserFilter, countMax: Int
    ) throws -> [OperatorUserBody] {
        let after = filter.after.map(UserCredentials.key)
        // In the order of bytes, as SQLite compares.
        let isEarlier = after?.utf8.lexicographicallyPrecedes(filter.start.utf8)
        let isFirstPage = isEarlier ?? true
        return try scope.rows(
            usersByName(isFirstPage: isFirstPage),
            [isFirstPage ? filter.start : after, filter.end, countMax]
        ).map {
            OperatorUserBody(
                userId: try $0["id"], userName: try $0["name"], createdAt: try $0["created_at"])
        }
    }

    /// Whether the grant for a submission's transaction was refunded since.
    static func isRefunded(_ scope: borrowing ReadScope, _ id: SubmissionID) throws -> Bool {
        guard let submission = try submission(scope, id) else { return false }
        return try grant(scope, of: submission)?.refundedAt != nil
    }

    /// The grant for a transaction, by either of its numbers.
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
                        g.refunded_at, g.refund_seen_at, g.kept_quantity, g.checked_at,
                        g.next_check_at, g.check_failures
                    FROM grants g JOIN users u ON u.id = g.user_id
                    WHERE g.environment = ? AND g.\(column) = ? LIMIT 1
                    """, [environment, number])
                guard let row else { continue }
                var body = try grant(row, environment)
                if body.kind == ProductKind.consumable.rawValue {
                    body.balance = try BalanceRecords.one(
                        scope, of: body.productId, BackendUserID(body.userId))
                }
                return body
            }
        }
        return nil
    }

    private static func grant(
        _ row: Row, _ environment: StoreEnvironment
    ) throws -> OperatorGrantBody {
        var body = OperatorGrantBody(
            userId: try row["user_id"], userName: try row["name"],
            submissionId: try row["submission_id"],
            productId: try row["product_id"], kind: try row["kind"],
            transactionId: try row["transaction_id"],
            originalTransactionId: try row["original_transaction_id"],
            environment: environment.wireName,
            quantity: try row["quantity"], grantedAt: try row["granted_at"],
            refundedAt: try row["refunded_at"], refundSeenAt: try row["refund_seen_at"])
        let (kept, failures): (Int, Int) = (
            try row["kept_quantity"], try row["check_failures"]
        )
        if kept > 0 { body.keptQuantity = kept }
        body.checkedAt = try row["checked_at"]
        body.nextCheckAt = try row["next_check_at"]
        if failures > 0 { body.checkFailures = failures }
        return body
    }

    private static func body(_ row: Row) throws -> OperatorSubmissionBody {
        let stalledAt: Int64? = try row["stalled_at"]
        // The table's check does not allow any other state.
        let state = OperatorSubmissionBody.State(rawValue: try row["state"]) ?? .received
        let environment: StoreEnvironment? = try row["environment"]
        var body = OperatorSubmissionBody(
            submissionId: try row["id"], userId: try row["user_id"], userName: try row["name"],
            productId: try row["product_id"], transactionId: try row["transaction_id"],
            appVersion: try row["app_version"],
            state: stalledAt == nil ? state : .stalled,
            receipt: .init(
                sha256: hexadecimal(try row["receipt_sha256"] as [UInt8]),
                byteCount: try row["byte_count"],
                droppedAt: try row["dropped_at"]),
            receivedAt: try row["received_at"], changedAt: try row["changed_at"],
            timesReceived: try row["times_received"], tries: try row["tries"])
        body.originalTransactionId = try row["original_transaction_id"]
        body.environment = environment?.wireName
        body.httpStatus = try row["http_status"]
        body.storeStatus = try row["last_store_status"]
        body.lastTriedAt = try row["last_try_at"]
        if stalledAt == nil { body.nextTryAt = try row["next_try_at"] }
        body.stalledAt = stalledAt
        body.reason = try row["reason"]
        body.message = try row["message"]
        return body
    }
}
