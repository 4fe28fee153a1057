import StoreDatabase
import StoreModel

enum SubscriptionEvent: String, CaseIterable, ColumnValue {
    case began, renewed, productChanged
    case renewalSwitchedOn, renewalSwitchedOff
    case gracePeriod, billingRetry, expired, revoked
    /// It is active again: through a late payment, a new purchase, or a reversed refund.
    case recovered
}

/// The history of subscriptions; the schema lets it only grow.
enum SubscriptionEventRecords {
    static func add(
        _ scope: borrowing WriteScope, _ event: SubscriptionEvent, _ row: SubscriptionRow,
        requestID: String, now: Timestamp
    ) throws {
        try scope.insert(
            into: "subscription_events",
            [
                "environment": row.key.environment, "original_transaction": row.key.original,
                "at": now, "store_at": row.facts.answeredAt, "event": event,
                "request_id": requestID, "product_id": row.facts.productID,
                "transaction_id": row.facts.transactionID, "expires_at": row.facts.expiresAt,
            ])
    }
}
