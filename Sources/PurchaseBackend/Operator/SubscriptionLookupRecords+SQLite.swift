import StoreDatabase
import StoreModel
import StoreWire

// Subscriptions are ordered by SQLite's row number, which is not a column.
extension SubscriptionLookupRecords {
    /// The subscriptions that match, most recently begun first.
    static func find(
        _ scope: borrowing ReadScope, _ filter: SubscriptionFilter, user: BackendUserID?,
        countMax: Int
    ) throws -> [SubscriptionFinding] {
        let (sql, values) = query(filter, user: user)
        return try scope.rows(sql, values + [countMax]).map(finding)
    }

    /// Selects a page of the subscriptions that match, and the values that it takes; a count is
    /// the last.
    static func query(
        _ filter: SubscriptionFilter, user: BackendUserID?
    ) -> (sql: String, values: [any ColumnValue]) {
        var conditions: [String] = []
        var values: [any ColumnValue] = []
        func require(_ condition: String, _ new: any ColumnValue...) {
            conditions.append(condition)
            values += new
        }
        if let user { require("s.user_id = ?", user) }
        if let transaction = filter.transaction {
            require(
                "(s.transaction_id = ? OR s.original_transaction = ?)", transaction,
                transaction)
        }
        // The comparison names the value of the index, whose entries stand in the list's order.
        if filter.hasTrouble { require("s.trouble IS NOT NULL AND (s.trouble IS NOT NULL) = 1") }
        if let after = filter.after { require("s.rowid < ?", after) }
        return (
            """
            SELECT \(SubscriptionRecords.columns(of: "s")), s.rowid, u.name, r.style,
                length(r.bytes) AS byte_count
            FROM subscriptions s CROSS JOIN users u ON u.id = s.user_id
            CROSS JOIN latest_receipts r ON r.sha256 = s.receipt_sha256
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY s.rowid DESC LIMIT ?
            """, values
        )
    }

    private static func finding(_ row: Row) throws -> SubscriptionFinding {
        let found = try SubscriptionRecords.row(row)
        return SubscriptionFinding(
            place: try row["rowid"], row: found, userName: try row["name"],
            receipt: .init(
                sha256: hexadecimal(found.receiptHash), byteCount: try row["byte_count"],
                style: try row["style"]))
    }
}
