import StoreDatabase
import StoreModel

/// What happened to a subscription, by name.
enum SubscriptionEvent: String, CaseIterable, ColumnValue {
    case began, renewed, productChanged
    case renewalSwitchedOn, renewalSwitchedOff
    case gracePeriod, billingRetry, expired, revoked
    /// It is active again: by a payment that came late, by being bought again, or because the
    /// store gave back what it had taken back.
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
