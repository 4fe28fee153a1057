import StoreDatabase
import StoreModel
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
