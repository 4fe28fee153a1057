import StoreDatabase
import Testing

@testable import AppStoreServer

/// Queries that stay fast however much an account has bought: SQLite chooses the index they are
/// written for, and sorts nothing.
struct QueryPlanTests {
    struct Row: Sendable {
        let name: String
        let sql: String
        let valueCount: Int
        let path: String
        /// A scan is in order where the number of rows is limited.
        var verb = "SEARCH"
    }

    static let rows = [
        Row(
            name: "what an account owns of a product", sql: lastingPurchase, valueCount: 3,
            path: "store_transaction USING INDEX transaction_lasting (account_id=? AND app_id=?)"),
        Row(
            name: "what a receipt shows for good", sql: ReceiptPart.lasting.count, valueCount: 3,
            path: "store_transaction USING INDEX transaction_lasting (account_id=? AND app_id=?)"),
        Row(
            name: "what a receipt shows until it is finished", sql: ReceiptPart.unfinished.count,
            valueCount: 3,
            path: "store_transaction USING INDEX transaction_unfinished (account_id=? AND app_id=?)"
        ),
        Row(
            name: "introductory offers", sql: anyIntroduction, valueCount: 3,
            path: "store_transaction USING INDEX transaction_lasting (account_id=? AND app_id=?)"),
        Row(
            name: "purchases shared in families", sql: anyShare, valueCount: 0,
            path: "store_transaction USING COVERING INDEX transaction_copies (shared_id>?)"),
        Row(
            name: "an account's session on the device that its owner buys on", sql: ownerTokens,
            valueCount: 4,
            path: """
                device USING INDEX sqlite_autoindex_device_2 (environment=? AND app_id=? \
                AND guid=?)
                """),
        Row(
            name: "subscriptions that are due", sql: dueSubscriptionRows, valueCount: 2,
            path: "subscription USING INDEX subscription_due (due_ms<?)"),
        Row(
            name: "how many are due, for metrics", sql: dueRenewals, valueCount: 2,
            path: "subscription USING INDEX subscription_due (due_ms>? AND due_ms<?)"),
        Row(
            name: "how many notifications wait, for metrics", sql: waitingNotifications,
            valueCount: 1, path: "notification USING INDEX notification_due", verb: "SCAN"),
        Row(
            name: "a product's subscribers", sql: extendableSubscriptions, valueCount: 7,
            path: """
                subscription USING INDEX sqlite_autoindex_subscription_1 (original_id>? AND \
                original_id<?)
                """),
        Row(
            name: "what an app's server was notified of", sql: noticesOfKind, valueCount: 8,
            path: """
                notification USING INDEX notification_by_kind (app_id=? AND environment=? \
                AND kind=? AND <expr>=? AND made_ms>? AND (made_ms,number)<(?,?))
                """),
        Row(
            name: "what it did not get", sql: failedNotices, valueCount: 8,
            path: """
                notification USING INDEX notification_failed (app_id=? AND environment=? \
                AND kind=? AND <expr>=? AND made_ms>? AND (made_ms,number)<(?,?))
                """),
        Row(
            name: "what it was notified of one customer", sql: noticesOfAccount, valueCount: 8,
            path: """
                notification USING INDEX notification_by_account (account_id=? AND made_ms>? \
                AND (made_ms,number)<(?,?))
                """),
    ]

    @Test(arguments: rows)
    func `a query goes along the index that it is written for`(row: Row) throws {
        let store = try TestStore()
        let plan = try store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                "EXPLAIN QUERY PLAN \(row.sql)",
                (0..<row.valueCount).map { .integer(Int64($0)) }
            ).map { $0.text(3) }
        }
        #expect(plan.contains("\(row.verb) \(row.path)"), "\(row.name): \(plan)")
        #expect(!plan.contains { $0.contains("ORDER BY") }, "\(row.name): \(plan)")
    }
}
