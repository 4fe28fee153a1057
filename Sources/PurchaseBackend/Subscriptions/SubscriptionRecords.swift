import StoreDatabase
import StoreModel
import StoreSigning

/// Which subscription is meant.
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
    /// By our clock, as the next.
    var checkedAt: Timestamp
    /// Nil when nothing more happens by itself.
    var nextCheckAt: Timestamp?
    /// Checks in a row that brought nothing new.
    var quietChecks: Int64 = 0
    /// Checks in a row without an answer that speaks of it.
    var failures: Int64 = 0
    /// Those of them in which the store refused, or seemed to; silence between them counts for
    /// nothing.
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

    /// All that `row` reads, of a table by that name.
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
        ).flatMap(row)
    }

    /// The one that a submission is of, when it is its user's.
    static func of(
        _ submission: SubmissionID, _ scope: borrowing ReadScope
    ) throws -> SubscriptionRow? {
        try scope.row(
            """
            SELECT \(columns) FROM subscriptions
            WHERE (environment, original_transaction, user_id) = (
                SELECT environment, original_transaction_id, user_id FROM submissions
                WHERE id = ?)
            """, [.text(submission.rawValue)]
        ).flatMap(row)
    }

    private static func values(_ key: SubscriptionKey) -> [SQLValue] {
        [.text(key.environment.rawValue), .text(key.original)]
    }

    /// A user's, the first first.
    static func of(
        _ user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> [SubscriptionRow] {
        try scope.rows(
            """
            SELECT \(columns) FROM subscriptions WHERE user_id = ?
            ORDER BY purchased_at, original_transaction
            """, [.text(user.rawValue)]
        ).compactMap(row)
    }

    /// Writes a row, new or changed; its user stays.
    static func save(_ scope: borrowing WriteScope, _ row: SubscriptionRow) throws {
        let facts = row.facts
        try scope.execute(
            """
            INSERT INTO subscriptions (\(columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?)
            ON CONFLICT (environment, original_transaction) DO UPDATE SET
                product_id = excluded.product_id, transaction_id = excluded.transaction_id,
                purchased_at = excluded.purchased_at, expires_at = excluded.expires_at,
                newest_at = excluded.newest_at, renews = excluded.renews,
                renews_as = excluded.renews_as, is_retried = excluded.is_retried,
                grace_ends_at = excluded.grace_ends_at, intent = excluded.intent,
                revoked_transaction = excluded.revoked_transaction,
                revoked_at = excluded.revoked_at, answered_at = excluded.answered_at,
                receipt_sha256 = excluded.receipt_sha256, checked_at = excluded.checked_at,
                next_check_at = excluded.next_check_at, quiet_checks = excluded.quiet_checks,
                failures = excluded.failures, trouble = excluded.trouble,
                offer_id = excluded.offer_id, refusals = excluded.refusals,
                grace_is_estimated = excluded.grace_is_estimated,
                is_over = excluded.is_over,
                clock_is_estimated = excluded.clock_is_estimated
            """,
            values(row.key) + [
                .text(row.user.rawValue), .text(facts.productID), .text(facts.transactionID),
                .integer(facts.purchasedAt.milliseconds), .integer(facts.expiresAt.milliseconds),
                .integer(facts.newestAt.milliseconds), flag(facts.renewal.renews),
                .text(facts.renewal.renewsAs), flag(facts.renewal.isRetried),
                .integer(facts.renewal.graceEndsAt?.milliseconds), .integer(facts.renewal.intent),
                .text(facts.revocation?.transactionID),
                .integer(facts.revocation?.at.milliseconds),
                .integer(facts.answeredAt.milliseconds), .blob(row.receiptHash),
                .integer(row.checkedAt.milliseconds), .integer(row.nextCheckAt?.milliseconds),
                .integer(row.quietChecks), .integer(row.failures), .text(row.trouble),
                .text(facts.offerID), .integer(row.refusals),
                .integer(facts.renewal.isGraceEstimated ? 1 : 0),
                .integer(facts.renewal.isOver ? 1 : 0),
                .integer(facts.isClockEstimated ? 1 : 0),
            ])
    }

    /// Keeps a receipt to ask with, and gives its name.
    static func keep(
        _ scope: borrowing WriteScope, receipt: [UInt8]
    ) throws -> [UInt8] {
        let hash = sha256(receipt)
        try scope.execute(
            """
            INSERT INTO latest_receipts (sha256, style, bytes) VALUES (?, ?, ?)
            ON CONFLICT (sha256) DO NOTHING
            """,
            [.blob(hash), .text(ReceiptShape.style(receipt).rawValue), .blob(receipt)])
        return hash
    }

    /// Lets go of a receipt that no subscription has any more.
    static func letGo(_ scope: borrowing WriteScope, receiptHash: [UInt8]) throws {
        try scope.execute(
            """
            DELETE FROM latest_receipts WHERE sha256 = ?1
                AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE receipt_sha256 = ?1)
            """, [.blob(receiptHash)])
    }

    static func style(
        _ scope: borrowing WriteScope, receiptHash: [UInt8]
    ) throws -> ReceiptShape.Style? {
        try scope.row(
            "SELECT style FROM latest_receipts WHERE sha256 = ?", [.blob(receiptHash)]
        ).flatMap { ReceiptShape.Style(rawValue: $0.text(0)) }
    }

    static func receipt(_ scope: borrowing ReadScope, hash: [UInt8]) throws -> [UInt8]? {
        try scope.row("SELECT bytes FROM latest_receipts WHERE sha256 = ?", [.blob(hash)])?.blob(0)
    }

    /// Those whose time has come, the longest waiting first, and those that wait longer than
    /// anything does, since the clock that said when was ahead of this one.
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
                .integer(now.milliseconds),
                .integer(now.adding(milliseconds: waitMillisecondsMax).milliseconds),
                .integer(Int64(countMax)),
            ]
        ).compactMap(key)
    }

    /// When the next one is due; nil when none is.
    static func nextDue(_ scope: borrowing ReadScope) throws -> Timestamp? {
        try scope.row(
            "SELECT min(next_check_at) FROM subscriptions WHERE next_check_at IS NOT NULL"
        )?.integerOrNil(0).map(Timestamp.init(milliseconds:))
    }

    /// Makes due what the store's clock has passed the end of, when it went ahead of ours: a
    /// test's clock that was moved. What waits because checks failed goes on waiting: answers to
    /// anybody come through here.
    static func hasten(
        _ scope: borrowing WriteScope, _ environment: StoreEnvironment, storeNow: Timestamp,
        now: Timestamp, unlessBefore soon: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE subscriptions SET next_check_at = ?3
            WHERE environment = ?1 AND answered_at < expires_at AND expires_at <= ?2
                AND next_check_at > ?4 AND failures = 0
            """,
            [
                .text(environment.rawValue), .integer(storeNow.milliseconds),
                .integer(now.milliseconds), .integer(soon.milliseconds),
            ])
    }

    /// Makes every subscription of an original transaction due; false when there is none.
    static func makeDue(
        _ scope: borrowing WriteScope, original: String, now: Timestamp
    ) throws -> Bool {
        try scope.execute(
            """
            UPDATE subscriptions SET next_check_at = ?2, quiet_checks = 0, failures = 0,
                refusals = 0
            WHERE original_transaction = ?1
            """, [.text(original), .integer(now.milliseconds)]) > 0
    }

    private static func flag(_ value: Bool?) -> SQLValue {
        .integer(value.map { $0 ? 1 : 0 })
    }

    private static func key(_ row: Row) -> SubscriptionKey? {
        StoreEnvironment(rawValue: row.text(0)).map {
            SubscriptionKey(environment: $0, original: row.text(1))
        }
    }

    /// Nil for an environment that this version does not know.
    static func row(_ row: Row) -> SubscriptionRow? {
        guard let key = key(row) else { return nil }
        func moment(_ column: Int) -> Timestamp { Timestamp(milliseconds: row.integer(column)) }
        func flag(_ column: Int) -> Bool? { row.integerOrNil(column).map { $0 != 0 } }
        let revocation = row.textOrNil(13).map {
            SubscriptionFacts.Revocation(transactionID: $0, at: moment(14))
        }
        return SubscriptionRow(
            key: key, user: BackendUserID(row.text(2)),
            facts: SubscriptionFacts(
                productID: row.text(3), transactionID: row.text(4), purchasedAt: moment(5),
                expiresAt: moment(6), newestAt: moment(7), offerID: row.textOrNil(22),
                renewal: .init(
                    renews: flag(8), renewsAs: row.textOrNil(9), isRetried: flag(10),
                    graceEndsAt: row.integerOrNil(11).map(Timestamp.init(milliseconds:)),
                    isGraceEstimated: row.integer(24) != 0, intent: row.integerOrNil(12),
                    isOver: row.integer(25) != 0),
                revocation: revocation, answeredAt: moment(15),
                isClockEstimated: row.integer(26) != 0),
            receiptHash: row.blob(16), checkedAt: moment(17),
            nextCheckAt: row.integerOrNil(18).map(Timestamp.init(milliseconds:)),
            quietChecks: row.integer(19), failures: row.integer(20), refusals: row.integer(23),
            trouble: row.textOrNil(21))
    }
}
