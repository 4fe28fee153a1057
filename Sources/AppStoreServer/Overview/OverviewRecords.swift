import StoreDatabase
import StoreModel
import StoreWire

/// The counts of an environment, of the newest rows where its index has them in their order; each
/// takes the environment and the two ends of its transactions' numbers.
enum OverviewCount: String, CaseIterable, Sendable {
    case accounts, devices, transactions, refundRequests, approvals, interruptions, payments
    case failedNotifications

    var statement: RowCount { RowCount(rows, lookingAt: "?4") }

    private var rows: String {
        switch self {
        case .accounts: "SELECT deleted_ms IS NULL AS fits FROM account WHERE environment = ?1"
        case .devices: "SELECT 1 AS fits FROM device WHERE environment = ?1"
        case .transactions:
            """
            SELECT restore_id IS NULL AND deleted_transaction_id IS NULL AS fits
            FROM store_transaction AS sold CROSS JOIN account ON account.id = sold.account_id
            WHERE sold.id >= ?2 AND sold.id <= ?3 ORDER BY sold.id DESC
            """
        case .refundRequests:
            """
            SELECT granted_ms IS NULL AND declined_ms IS NULL AND deleted_transaction_id IS NULL
                AS fits
            FROM refund_request
            CROSS JOIN store_transaction AS sold ON sold.id = refund_request.transaction_id
            CROSS JOIN account ON account.id = sold.account_id
            WHERE transaction_id >= ?2 AND transaction_id <= ?3 ORDER BY transaction_id DESC
            """
        case .approvals: Self.waiting(for: "approval")
        case .interruptions: Self.waiting(for: "interruption")
        case .payments: Self.waiting(for: "payment")
        case .failedNotifications:
            """
            SELECT environment = ?1 AND attempts > 0 AND last_result <> 'SUCCESS' AS fits
            FROM notification ORDER BY number DESC
            """
        }
    }

    private static func waiting(for cause: String) -> String {
        """
        SELECT device.environment = ?1 AS fits FROM waiting_purchase
        CROSS JOIN device ON device.id = waiting_purchase.device_id
        WHERE cause = '\(cause)' AND answer IS NULL ORDER BY number DESC
        """
    }

    /// The newest subscriptions in each phase; takes the same.
    static let subscriptions = PhaseCount(
        """
        SELECT phase FROM subscription CROSS JOIN account ON account.id = subscription.account_id
        WHERE original_id >= ?2 AND original_id <= ?3 AND deleted_transaction_id IS NULL
        ORDER BY original_id DESC
        """, lookingAt: "?4")
}

extension ReadScope {
    borrowing func appCount() throws -> Int { try value("SELECT count(*) FROM app") ?? 0 }

    borrowing func count(
        _ what: OverviewCount, in environment: StoreEnvironment,
        lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> CountBody {
        try count(what.statement, Self.values(environment), lookingAt: lookedAtMax)
    }

    borrowing func subscriptionCounts(
        in environment: StoreEnvironment, lookingAt lookedAtMax: Int = Limits.rowsLookedAtMax
    ) throws -> SubscriptionCountsBody {
        try count(OverviewCount.subscriptions, Self.values(environment), lookingAt: lookedAtMax)
    }

    private static func values(_ environment: StoreEnvironment) -> [any ColumnValue] {
        let numbers = environment.transactionNumbers
        return [environment, numbers.lowerBound, numbers.upperBound]
    }
}
