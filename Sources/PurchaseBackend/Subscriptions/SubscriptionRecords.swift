import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification

struct SubscriptionKey: Hashable, Sendable {
    let environment: StoreEnvironment
    let original: String
}

/// A subscription as the table holds it.
struct SubscriptionRow: Hashable, Sendable {
    let key: SubscriptionKey
    let user: BackendUserID
    var facts: SubscriptionFacts
    var receiptHash: [UInt8]
    /// By our clock, like the next.
    var checkedAt: Timestamp
    /// Nil when no check is planned.
    var nextCheckAt: Timestamp?
    /// Consecutive checks that brought nothing new.
    var quietChecks: Int64 = 0
    /// Consecutive checks without an answer about it.
    var failures: Int64 = 0
    /// Those of them in which the store refused, or seemed to; silence in between does not count.
    var refusals: Int64 = 0
    /// Why the last check failed.
    var trouble: String?
}

enum SubscriptionRecords {
    static let columnNames = [
        "environment", "original_transaction", "user_id", "product_id", "transaction_id",
        "purchased_at", "expires_at", "newest_at", "renews", "renews_as", "is_retried",
        "grace_ends_at", "intent", "revoked_transaction", "revoked_at", "answered_at",
        "receipt_sha256", "checked_at", "next_check_at", "quiet_checks", "failures", "trouble",
        "offer_id", "refusals", "grace_is_estimated", "is_over",
        "clock_is_estimated",
    ]
    private static let columns = columnNames.joined(separator: ", ")

    /// All columns that `row` reads, of a table by that name.
    static func columns(of table: String) -> String {
        columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    static func find(
        _ scope: borrowing ReadScope, _ key: SubscriptionKey
    ) throws -> SubscriptionRow? {
        try scope.row(
            """
            SELECT \(columns) FROM subscriptions
            WHERE environment = ? AND original_transaction = ?
            """, values(key)
        ).map(row)
    }

    /// The subscription of a submission, if the submission's user owns it.
    static func of(
        _ submission: SubmissionID, _ scope: borrowing ReadScope
    ) throws -> SubscriptionRow? {
        try scope.row(
            """
            SELECT \(columns) FROM subscriptions
            WHERE (environment, original_transaction, user_id) = (
                SELECT environment, original_transaction_id, user_id FROM submissions
                WHERE id = ?)
            """, [submission]
        ).map(row)
    }

    private static func values(_ key: SubscriptionKey) -> [any ColumnValue] {
        [key.environment, key.original]
    }

    /// A user's subscriptions, oldest first.
    static func of(
        _ user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> [SubscriptionRow] {
        try scope.rows(
            """
            SELECT \(columns) FROM subscriptions WHERE user_id = ?
            ORDER BY purchased_at, original_transaction
            """, [user]
        ).map(row)
    }

    /// Writes a row, new or changed; its user stays.
    static func save(_ scope: borrowing WriteScope, _ row: SubscriptionRow) throws {
        let facts = row.facts
        let changed = columnNames.dropFirst(3).map { "\($0) = excluded.\($0)" }
        try scope.insert(
            into: "subscriptions",
            [
                "environment": row.key.environment, "original_transaction": row.key.original,
                "user_id": row.user, "product_id": facts.productID,
                "transaction_id": facts.transactionID, "purchased_at": facts.purchasedAt,
                "expires_at": facts.expiresAt, "newest_at": facts.newestAt,
                "renews": facts.renewal.renews, "renews_as": facts.renewal.renewsAs,
                "is_retried": facts.renewal.isRetried,
                "grace_ends_at": facts.renewal.graceEndsAt, "intent": facts.renewal.intent,
                "revoked_transaction": facts.revocation?.transactionID,
                "revoked_at": facts.revocation?.at, "answered_at": facts.answeredAt,
                "receipt_sha256": row.receiptHash, "checked_at": row.checkedAt,
                "next_check_at": row.nextCheckAt, "quiet_checks": row.quietChecks,
                "failures": row.failures, "trouble": row.trouble, "offer_id": facts.offerID,
                "refusals": row.refusals,
                "grace_is_estimated": facts.renewal.isGraceEstimated,
                "is_over": facts.renewal.isOver, "clock_is_estimated": facts.isClockEstimated,
            ],
            """
            ON CONFLICT (environment, original_transaction)
            DO UPDATE SET \(changed.joined(separator: ", "))
            """)
    }

    /// Keeps a receipt for checks, and returns its name.
    static func keep(
        _ scope: borrowing WriteScope, receipt: [UInt8]
    ) throws -> [UInt8] {
        let hash = sha256(receipt)
        try scope.insert(
            into: "latest_receipts",
            [
                "sha256": hash, "style": ReceiptShape.style(receipt), "bytes": receipt,
            ], "ON CONFLICT (sha256) DO NOTHING")
        return hash
    }

    /// Deletes a receipt that no longer belongs to any subscription.
    static func letGo(_ scope: borrowing WriteScope, receiptHash: [UInt8]) throws {
        try scope.execute(
            """
            DELETE FROM latest_receipts WHERE sha256 = ?1
                AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE receipt_sha256 = ?1)
            """, [receiptHash])
    }

    static func style(
        _ scope: borrowing WriteScope, receiptHash: [UInt8]
    ) throws -> ReceiptShape.Style? {
        try scope.value("SELECT style FROM latest_receipts WHERE sha256 = ?", [receiptHash])
    }

    static func receipt(_ scope: borrowing ReadScope, hash: [UInt8]) throws -> [UInt8]? {
        try scope.value("SELECT bytes FROM latest_receipts WHERE sha256 = ?", [hash])
    }

    /// Those whose time has come, longest waiting first, and those due later than any wait allows,
    /// because the clock was ahead when they were scheduled.
    static func due(
        _ scope: borrowing ReadScope, now: Timestamp, waitMillisecondsMax: Int64, countMax: Int
    ) throws -> [SubscriptionKey] {
        try scope.rows(
            """
            SELECT environment, original_transaction FROM (
                SELECT * FROM (SELECT environment, original_transaction, next_check_at
                    FROM subscriptions WHERE next_check_at <= ?1
                    ORDER BY next_check_at LIMIT ?3) AS due
                UNION ALL
                SELECT * FROM (SELECT environment, original_transaction, next_check_at
                    FROM subscriptions WHERE next_check_at > ?2
                    ORDER BY next_check_at LIMIT ?3) AS late
            ) AS waiting
            ORDER BY next_check_at, original_transaction LIMIT ?3
            """,
            [
                now, now.adding(milliseconds: waitMillisecondsMax), countMax,
            ]
        ).map(key)
    }

    /// When the next one is due; nil when none is.
    static func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp? {
        try scope.value(
            "SELECT min(next_check_at) FROM subscriptions WHERE next_check_at IS NOT NULL")
    }

    /// Makes due the subscriptions whose end the store's clock has passed by running ahead of ours,
    /// as when a test moves it. Those that wait after failed checks go on waiting: any user's
    /// answers come through here.
    static func hasten(
        _ scope: borrowing WriteScope, _ environment: StoreEnvironment, storeNow: Timestamp,
        now: Timestamp, unlessBefore soon: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE subscriptions SET next_check_at = ?3
            WHERE environment = ?1 AND answered_at < expires_at AND expires_at <= ?2
                AND next_check_at > ?4 AND failures = 0
            """, [environment, storeNow, now, soon])
    }

    /// Makes every subscription of an original transaction due, and gives them.
    static func makeDue(
        _ scope: borrowing WriteScope, original: String, now: Timestamp
    ) throws -> [SubscriptionKey] {
        try scope.rows(
            """
            UPDATE subscriptions SET next_check_at = ?2, quiet_checks = 0, failures = 0,
                refusals = 0
            WHERE original_transaction = ?1
            RETURNING environment, original_transaction
            """, [original, now]
        ).map(key)
    }

    private static func key(_ row: Row) throws -> SubscriptionKey {
        SubscriptionKey(
            environment: try row["environment"], original: try row["original_transaction"])
    }

    static func row(_ row: Row) throws -> SubscriptionRow {
        let revoked: String? = try row["revoked_transaction"]
        return SubscriptionRow(
            key: try key(row), user: try row["user_id"],
            facts: SubscriptionFacts(
                productID: try row["product_id"], transactionID: try row["transaction_id"],
                purchasedAt: try row["purchased_at"], expiresAt: try row["expires_at"],
                newestAt: try row["newest_at"], offerID: try row["offer_id"],
                renewal: .init(
                    renews: try row["renews"], renewsAs: try row["renews_as"],
                    isRetried: try row["is_retried"], graceEndsAt: try row["grace_ends_at"],
                    isGraceEstimated: try row["grace_is_estimated"], intent: try row["intent"],
                    isOver: try row["is_over"]),
                revocation: try revoked.map {
                    SubscriptionFacts.Revocation(transactionID: $0, at: try row["revoked_at"])
                },
                answeredAt: try row["answered_at"],
                isClockEstimated: try row["clock_is_estimated"]),
            receiptHash: try row["receipt_sha256"], checkedAt: try row["checked_at"],
            nextCheckAt: try row["next_check_at"], quietChecks: try row["quiet_checks"],
            failures: try row["failures"], refusals: try row["refusals"],
            trouble: try row["trouble"])
    }
}
