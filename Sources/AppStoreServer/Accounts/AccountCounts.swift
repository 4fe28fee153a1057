import StoreDatabase
import StoreModel
import StoreWire

/// The counts that an account's details have; each takes the account.
enum AccountCount: CaseIterable, Sendable {
    /// Those on which it has signed in.
    case devices
    /// By its history, which has every sale once; a sale that a test deleted is another account's.
    case sales
    case waitingPurchases

    var statement: RowCount { RowCount(rows, lookingAt: "?2") }

    private var rows: String {
        switch self {
        case .devices: "SELECT 1 AS fits FROM device_account WHERE account_id = ?1"
        case .sales:
            """
            SELECT sold.account_id = ?1 AS fits FROM event
            CROSS JOIN store_transaction AS sold ON sold.id = event.transaction_id
            WHERE event.account_id = ?1 AND event.kind IN ('purchased', 'renewed', 'shared')
            """
        case .waitingPurchases:
            "SELECT 1 AS fits FROM waiting_purchase WHERE account_id = ?1 AND answer IS NULL"
        }
    }

    /// Its subscriptions in each phase; takes the account.
    static let subscriptions = PhaseCount(
        "SELECT phase FROM subscription WHERE account_id = ?1", lookingAt: "?2")
}

extension ReadScope {
    borrowing func count(_ what: AccountCount, of account: AccountID) throws -> CountBody {
        try count(what.statement, [account])
    }

    borrowing func subscriptionCounts(of account: AccountID) throws -> SubscriptionCountsBody {
        try count(AccountCount.subscriptions, [account])
    }
}
