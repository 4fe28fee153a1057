import StoreDatabase
import StoreModel

/// A grant about which the store is asked again.
struct CheckedGrant: Hashable, Sendable {
    let key: GrantKey
    let user: BackendUserID
    let submission: SubmissionID
    let productID: String
    let transactionID: String
    /// By our clock; nil when it was granted before checks were recorded.
    let askedAt: Timestamp?
    /// Nil when no check is planned.
    let nextCheckAt: Timestamp?
    let failures: Int64
    let refusals: Int64
    /// When it was granted, or its refund was seen.
    let since: Timestamp
}

/// When the store is asked again about grants, other than auto-renewable subscriptions.
enum GrantCheckRecords {
    private static let columns = """
        environment, key_transaction, user_id, submission_id, product_id, transaction_id, asked_at,
        next_check_at, check_failures, check_refusals, coalesce(refund_seen_at, granted_at) AS since
        """
    private static let checked = "kind != 'autoRenewable'"
    private static let standing = "refunded_at IS NULL AND \(checked)"

    /// The users with due grants, longest waiting first, also with those due later than any wait
    /// allows, because the clock was ahead when they were scheduled.
    static func dueUsers(
        _ scope: borrowing ReadScope, now: Timestamp, waitMillisecondsMax: Int64, countMax: Int
    ) throws -> [BackendUserID] {
        try scope.rows(
            """
            SELECT user_id FROM (
                SELECT * FROM (SELECT user_id, next_check_at FROM grants
                    WHERE next_check_at <= ?1 ORDER BY next_check_at LIMIT ?3) AS due
                UNION ALL
                SELECT * FROM (SELECT user_id, next_check_at FROM grants
                    WHERE next_check_at > ?2 ORDER BY next_check_at LIMIT ?3) AS late
            ) AS waiting
            GROUP BY user_id ORDER BY min(next_check_at), user_id LIMIT ?4
            """,
            [
                now, now.adding(milliseconds: waitMillisecondsMax), BackendLimits.grantWindowMax,
                countMax,
            ]
        ).map { try $0["user_id"] }
    }

    static func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp? {
        try scope.value("SELECT min(next_check_at) FROM grants WHERE next_check_at IS NOT NULL")
    }

    /// The newest of a user's due grants, since its receipt lists the most others; of those whose
    /// last checks failed, the one that failed least often, so that none holds up the others.
    static func due(
        _ scope: borrowing ReadScope, of user: BackendUserID, now: Timestamp,
        waitMillisecondsMax: Int64
    ) throws -> CheckedGrant? {
        try scope.row(
            """
            SELECT \(columns) FROM grants
            WHERE user_id = ?1 AND (next_check_at <= ?2 OR next_check_at > ?3)
            ORDER BY check_failures, granted_at DESC, transaction_id LIMIT 1
            """, [user, now, now.adding(milliseconds: waitMillisecondsMax)]
        ).map(grant)
    }

    /// The newest grant of a product that a user has.
    static func newest(
        _ scope: borrowing ReadScope, of product: String, by user: BackendUserID
    ) throws -> CheckedGrant? {
        try scope.row(
            """
            SELECT \(columns) FROM grants WHERE user_id = ? AND product_id = ? AND \(standing)
            ORDER BY granted_at DESC, transaction_id LIMIT 1
            """, [user, product]
        ).map(grant)
    }

    /// The grant of a user's submission, which may be a copy of the purchase that was granted.
    static func granted(
        _ scope: borrowing ReadScope, by submission: SubmissionID, to user: BackendUserID
    ) throws -> CheckedGrant? {
        try scope.row(
            """
            SELECT \(columns) FROM grants
            WHERE user_id = ? AND \(standing) AND EXISTS (
                SELECT 1 FROM submissions AS s WHERE s.id = ?
                    AND s.product_id = grants.product_id
                    AND (grants.transaction_id = s.transaction_id
                        OR grants.key_transaction
                            IN (s.transaction_id, s.original_transaction_id)))
            LIMIT 1
            """, [user, submission]
        ).map(grant)
    }

    /// Notes that the answer for a submission listed its user's grants. Only the answer for its own
    /// receipt counts for a refunded one.
    static func noteAnswer(
        _ scope: borrowing WriteScope, for row: SubmissionRow, _ receipt: ReceiptSummary,
        now: Timestamp, _ timings: BackendTimings
    ) throws {
        let listed = Set(receipt.purchases.map(\.transactionID))
        let grants = try scope.rows(
            """
            SELECT \(columns) FROM grants WHERE user_id = ? AND environment = ? AND \(checked)
                AND (refunded_at IS NULL OR submission_id = ?)
            """, [row.user, receipt.environment, row.id]
        ).map(grant)
        for grant in grants where listed.contains(grant.transactionID) {
            let age = now.milliseconds - grant.since.milliseconds
            try scope.execute(
                """
                UPDATE grants SET checked_at = ?1, asked_at = ?1, next_check_at = ?2,
                    check_failures = 0, check_refusals = 0
                WHERE environment = ?3 AND key_transaction = ?4
                """,
                [
                    now, now.adding(milliseconds: timings.grantWait(ageMilliseconds: age)),
                    grant.key.environment, grant.key.transaction,
                ])
        }
    }

    /// Has all checks of a user that are due wait for a store that was silent about one.
    static func postpone(
        _ scope: borrowing WriteScope, of user: BackendUserID, in environment: StoreEnvironment,
        now: Timestamp, until nextCheckAt: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE grants SET next_check_at = ?
            WHERE user_id = ? AND environment = ? AND next_check_at <= ?
            """, [nextCheckAt, user, environment, now])
    }

    /// Notes a check without an answer about the grant; without a time no more are planned.
    static func fail(
        _ scope: borrowing WriteScope, _ grant: CheckedGrant, isRefusal: Bool, now: Timestamp,
        nextCheckAt: Timestamp?
    ) throws {
        try scope.execute(
            """
            UPDATE grants SET asked_at = ?, next_check_at = ?,
                check_failures = check_failures + 1, check_refusals = check_refusals + ?
            WHERE environment = ? AND key_transaction = ? AND \(checked)
            """,
            [now, nextCheckAt, isRefusal, grant.key.environment, grant.key.transaction])
    }

    /// Makes a user's own grant due, at once or when the store has not been asked about it for
    /// `restMilliseconds`; of a consumable also the newest others, once a minute. An app is told the
    /// product of a refund and not the purchase, and a finished consumable is in no receipt, so that
    /// it can only name any of them.
    static func hasten(
        _ scope: borrowing WriteScope, _ claim: PurchaseClaim, of user: BackendUserID,
        now: Timestamp, restMilliseconds: Int64
    ) throws {
        try scope.execute(
            hastening,
            [
                now, claim.transactionID, user, claim.productID, restMilliseconds,
                max(restMilliseconds, BackendLimits.consumableRestMilliseconds),
                BackendLimits.consumablesHastenedMax,
            ])
    }

    /// The statement of `hasten`; a test holds its plan, since it runs on the writer's thread.
    static let hastening = """
        WITH own AS (SELECT environment, key_transaction, kind FROM grants
                WHERE transaction_id = ?2 AND user_id = ?3 AND product_id = ?4),
            wanted AS (
                SELECT environment, key_transaction, ?5 AS rest FROM own
                UNION ALL
                SELECT * FROM (SELECT environment, key_transaction, ?6 FROM grants
                    WHERE user_id = ?3 AND product_id = ?4 AND refunded_at IS NULL
                        AND transaction_id <> ?2
                        AND EXISTS (SELECT 1 FROM own WHERE kind = 'consumable')
                    ORDER BY granted_at DESC LIMIT ?7) AS newest)
        UPDATE grants SET next_check_at =
            CASE WHEN asked_at BETWEEN ?1 - rest AND ?1 THEN asked_at + rest ELSE ?1 END
        FROM wanted
        WHERE grants.environment = wanted.environment
            AND grants.key_transaction = wanted.key_transaction
            AND \(standing) AND next_check_at > ?1 + rest AND check_failures = 0
        """

    private static func grant(_ row: Row) throws -> CheckedGrant {
        CheckedGrant(
            key: GrantKey(
                environment: try row["environment"], transaction: try row["key_transaction"]),
            user: try row["user_id"], submission: try row["submission_id"],
            productID: try row["product_id"], transactionID: try row["transaction_id"],
            askedAt: try row["asked_at"], nextCheckAt: try row["next_check_at"],
            failures: try row["check_failures"], refusals: try row["check_refusals"],
            since: try row["since"])
    }
}
