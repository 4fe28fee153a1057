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

/// Subscriptions and their histories for the operator.
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
            """, [key.environment, key.original, countMax]
        ).map {
            OperatorSubscriptionBody.Event(
                at: try $0["at"], storeAt: try $0["store_at"], event: try $0["event"],
                requestId: try $0["request_id"], productId: try $0["product_id"],
                transactionId: try $0["transaction_id"],
                expires: try $0["expires_at"])
        }.reversed()
    }

    static func eventCount(_ scope: borrowing ReadScope, _ key: SubscriptionKey) throws -> Int {
        try scope.value(
            """
            SELECT count(*) FROM subscription_events
            WHERE environment = ? AND original_transaction = ?
            """, [key.environment, key.original]) ?? 0
    }
}
