import StoreDatabase
import StoreModel

/// Selects an account's transactions in an app that changed after a position, in the order of their
/// newest events, without those restored to another device; takes account, app, position, device and
/// count.
let changedTransactions = """
    SELECT \(transactionColumns), device.guid, found.number FROM (
        SELECT transaction_id, max(number) AS number FROM event
        WHERE account_id = ?1 AND app_id = ?2 AND number > ?3 AND transaction_id IS NOT NULL
            AND kind IN (\(list(of: Event.Kind.allCases.filter(\.changesTransaction))))
        GROUP BY transaction_id) AS found
    CROSS JOIN store_transaction ON store_transaction.id = found.transaction_id
    CROSS JOIN device ON device.id = store_transaction.device_id
    WHERE restore_id IS NULL OR device_id = ?4
    ORDER BY found.number LIMIT ?5
    """

/// Selects an event of an account in an app after a position that may have changed a status; takes
/// the three.
let changedStatus = """
    SELECT 1 FROM event WHERE account_id = ?1 AND app_id = ?2 AND number > ?3
        AND kind IN (\(list(of: Event.Kind.allCases.filter(\.changesStatus)))) LIMIT 1
    """

/// Counts an account's events in an app after a position; takes the three and where to stop.
let eventCount = """
    SELECT count(*) FROM (
        SELECT 1 FROM event WHERE account_id = ?1 AND app_id = ?2 AND number > ?3 LIMIT ?4) AS found
    """

extension ReadScope {
    /// An account's transactions in an app, as one of its devices gets them, that changed after a
    /// position, each with the number of its newest event, which is their order.
    borrowing func changedTransactions(
        of account: AccountID, in app: AppID, on device: DeviceID, after position: EventNumber,
        countMax: Int
    ) throws -> [(delivered: DeliveredTransaction, number: EventNumber)] {
        let found = try rows(
            AppStoreServer.changedTransactions, [account, app, position, device, countMax])
        var changed: [(delivered: DeliveredTransaction, number: EventNumber)] = []
        for row in found {
            let transaction = try StoreTransaction(row)
            let delivered = DeliveredTransaction(
                transaction: transaction, deviceGuid: try row["guid"],
                isTakenBack: try isTakenBack(transaction))
            changed.append((delivered, try row["number"]))
        }
        return changed
    }

    /// Whether a subscription of an account in an app, or what the account is eligible for, may be
    /// another than at a position.
    borrowing func mayHaveOtherStatus(
        _ account: AccountID, in app: AppID, after position: EventNumber
    ) throws -> Bool {
        if try row(changedStatus, [account, app, position]) != nil { return true }
        return try !sharedStatusEvents(of: account, in: app, after: position, countMax: 1).isEmpty
    }

    /// Whether an account has more events in an app after a position than some number.
    borrowing func hasEvents(
        of account: AccountID, in app: AppID, after position: EventNumber, moreThan count: Int64
    ) throws -> Bool {
        try value(eventCount, [account, app, position, count + 1]) ?? 0 > count
    }
}
