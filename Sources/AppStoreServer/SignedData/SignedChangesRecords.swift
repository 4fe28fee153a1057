import StoreDatabase
import StoreModel

/// Selects a page of an account's transactions in an app that changed after a position, in the order
/// of their newest events, without those restored to another device; takes account, app, position,
/// device and count.
///
/// An event of a purchase is one of the transactions that restore it, too: what is signed of them is
/// taken from the purchase. Transactions that share their newest event come on one page, which is
/// then longer than the count, because the next page begins after an event.
let changedTransactions = """
    WITH told AS (
        SELECT transaction_id AS id, max(number) AS number FROM event
        WHERE account_id = ?1 AND app_id = ?2 AND number > ?3 AND transaction_id IS NOT NULL
            AND kind IN (\(list(of: Event.Kind.allCases.filter(\.changesTransaction))))
        GROUP BY transaction_id
    ), found AS (
        SELECT one.id, max(one.number) AS number FROM (
            SELECT id, number FROM told
            UNION ALL
            SELECT copy.id, told.number FROM told
            CROSS JOIN store_transaction AS copy
                ON copy.device_id = ?4 AND copy.restored_id = told.id
        ) AS one
        CROSS JOIN store_transaction AS own ON own.id = one.id
        WHERE own.account_id = ?1 AND (own.restore_id IS NULL OR own.device_id = ?4)
        GROUP BY one.id
    )
    SELECT \(transactionColumns), device.guid, found.number,
        (SELECT max(number) FROM found) AS newest
    FROM found
    CROSS JOIN store_transaction ON store_transaction.id = found.id
    CROSS JOIN device ON device.id = store_transaction.device_id
    WHERE found.number <= coalesce(
        (SELECT number FROM found ORDER BY number LIMIT 1 OFFSET ?5 - 1),
        (SELECT max(number) FROM found))
    ORDER BY found.number, found.id
    """

/// Selects the deletions of an account's transactions in an app after a position and up to another,
/// without those of transactions restored to another device; takes account, app, both positions,
/// device and count.
let deletedTransactions = """
    SELECT event.number, transaction_id FROM event
    CROSS JOIN store_transaction AS own ON own.id = transaction_id
    WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.number > ?3 AND event.number <= ?4
        AND event.kind = 'deleted' AND (own.restore_id IS NULL OR own.device_id = ?5)
    ORDER BY event.number LIMIT ?6
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

/// A page of transactions that changed.
struct ChangedTransactions: Sendable {
    var transactions: [DeliveredTransaction] = []
    /// The position after which the next page begins; nil on the last page.
    var next: EventNumber?
}

extension ReadScope {
    /// A page of an account's transactions in an app, as one of its devices gets them, that changed
    /// after a position, in the order of their newest events. It is longer than `count` when its last
    /// event changed several.
    borrowing func changedTransactions(
        of account: AccountID, in app: AppID, on device: DeviceID, after position: EventNumber,
        count: Int
    ) throws -> ChangedTransactions {
        let found = try rows(
            AppStoreServer.changedTransactions, [account, app, position, device, count])
        var page = ChangedTransactions()
        for row in found {
            let transaction = try StoreTransaction(row)
            page.transactions.append(
                DeliveredTransaction(
                    transaction: transaction, deviceGuid: try row["guid"],
                    isTakenBack: try isTakenBack(transaction)))
            let number: EventNumber = try row["number"]
            page.next = number < (try row["newest"] as EventNumber) ? number : nil
        }
        return page
    }

    /// The transactions of an account in an app, as one of its devices had them, that were deleted
    /// after a position and up to another, in that order; and, where there are more than `count`,
    /// the position of the last of these.
    borrowing func deletedTransactions(
        of account: AccountID, in app: AppID, on device: DeviceID, after position: EventNumber,
        upTo last: EventNumber, count: Int
    ) throws -> (ids: [TransactionID], next: EventNumber?) {
        let found = try rows(
            AppStoreServer.deletedTransactions, [account, app, position, last, device, count + 1])
        let page = found.prefix(count)
        return (
            try page.map { try $0["transaction_id"] },
            found.count > count ? try page.last?["number"] : nil
        )
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
