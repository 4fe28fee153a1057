import StoreDatabase
import StoreModel

/// What happened to a subscription, by name.
enum SubscriptionEvent: String, CaseIterable, Sendable {
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
        try scope.execute(
            """
            INSERT INTO subscription_events (environment, original_transaction, at, store_at,
                event, request_id, product_id, transaction_id, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(row.key.environment.rawValue), .text(row.key.original),
                .integer(now.milliseconds), .integer(row.facts.answeredAt.milliseconds),
                .text(event.rawValue), .text(requestID), .text(row.facts.productID),
                .text(row.facts.transactionID), .integer(row.facts.expiresAt.milliseconds),
            ])
    }
}
