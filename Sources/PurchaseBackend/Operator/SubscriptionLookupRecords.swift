import StoreDatabase
import StoreModel
import StoreSigning
import StoreWire

/// A subscription with what is shown beside it.
struct SubscriptionFinding: Sendable {
    /// Its place in the order in which subscriptions began.
    let place: Int64
    let row: SubscriptionRow
    let userName: String
    let receipt: OperatorSubscriptionBody.Receipt
}

/// What an operator looks up about subscriptions.
enum SubscriptionLookupRecords {
    /// The subscriptions that fit; those that began last first.
    static func find(
        _ scope: borrowing ReadScope, _ filter: SubscriptionFilter, user: BackendUserID?,
        countMax: Int
    ) throws -> [SubscriptionFinding] {
        var conditions: [String] = []
        var values: [SQLValue] = []
        func require(_ condition: String, _ new: SQLValue...) {
            conditions.append(condition)
            values += new
        }
        if let user { require("s.user_id = ?", .text(user.rawValue)) }
        if let transaction = filter.transaction {
            require(
                "(s.transaction_id = ? OR s.original_transaction = ?)", .text(transaction),
                .text(transaction))
        }
        if filter.hasTrouble { require("s.trouble IS NOT NULL") }
        if let after = filter.after { require("s.rowid < ?", .integer(after)) }
        return try scope.rows(
            """
            SELECT \(SubscriptionRecords.columns(of: "s")), s.rowid, u.name, r.style,
                length(r.bytes)
            FROM subscriptions s JOIN users u ON u.id = s.user_id
            JOIN latest_receipts r ON r.sha256 = s.receipt_sha256
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY s.rowid DESC LIMIT ?
            """, values + [.integer(Int64(countMax))]
        ).compactMap(finding)
    }

    private static func finding(_ row: Row) -> SubscriptionFinding? {
        let first = SubscriptionRecords.columnNames.count
        return SubscriptionRecords.row(row).map { found in
            SubscriptionFinding(
                place: row.integer(first), row: found, userName: row.text(first + 1),
                receipt: .init(
                    sha256: hexadecimal(found.receiptHash),
                    byteCount: Int(row.integer(first + 3)), style: row.text(first + 2)))
        }
    }

    /// The newest entries of a history, oldest first.
    static func events(
        _ scope: borrowing ReadScope, _ key: SubscriptionKey, countMax: Int
    ) throws -> [OperatorSubscriptionBody.Event] {
        try scope.rows(
            """
            SELECT at, store_at, event, request_id, product_id, transaction_id, expires_at
            FROM subscription_events WHERE environment = ? AND original_transaction = ?
            ORDER BY id DESC LIMIT ?
            """,
            [
                .text(key.environment.rawValue), .text(key.original), .integer(Int64(countMax)),
            ]
        ).map {
            OperatorSubscriptionBody.Event(
                at: $0.integer(0), storeAt: $0.integer(1), event: $0.text(2),
                requestId: $0.text(3), productId: $0.text(4), transactionId: $0.text(5),
                expires: $0.integer(6))
        }.reversed()
    }

    static func eventCount(_ scope: borrowing ReadScope, _ key: SubscriptionKey) throws -> Int {
        let row = try scope.row(
            """
            SELECT count(*) FROM subscription_events
            WHERE environment = ? AND original_transaction = ?
            """, [.text(key.environment.rawValue), .text(key.original)])
        return Int(row?.integer(0) ?? 0)
    }
}
