import StoreDatabase
import StoreModel
import StoreService

/// A transaction with the number of the newest event that changed it.
struct MovedTransaction: Sendable {
    let transaction: StoreTransaction
    let number: Int64
}

extension TransactionHistory.Source {
    private var kinds: [Event.Kind] {
        switch self {
        case .all, .unfinished:
            [.purchased, .renewed, .shared, .replaced, .revoked, .refundReversed]
        case .refunds: [.revoked]
        }
    }

    /// Selects an account's transactions in an app with their newest events; takes the filters.
    fileprivate func page(isAscending: Bool) -> String {
        """
        SELECT \(transactionColumns), moved.number FROM (
            SELECT transaction_id, max(number) AS number FROM event
            WHERE account_id = ?1 AND app_id = ?2 AND transaction_id IS NOT NULL
                \(isAscending ? "AND number > ?3" : "")
                AND kind IN (\(kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
            GROUP BY transaction_id) AS moved
        JOIN store_transaction ON store_transaction.id = moved.transaction_id
            AND store_transaction.account_id = ?1
        WHERE moved.number \(isAscending ? ">" : "<") ?3 AND restore_id IS NULL
            AND purchased_ms >= ?4 AND purchased_ms < ?5
            AND (?6 = '' OR replace(?6, '\n' || product_id || '\n', '') <> ?6)
            AND (?7 = '' OR replace(?7, '\n' || kind || '\n', '') <> ?7)
            AND (?8 = '' OR replace(?8, '\n' || subscription_group || '\n', '') <> ?8)
            AND (?9 = '' OR CASE WHEN shared_id IS NULL THEN 'PURCHASED'
                ELSE 'FAMILY_SHARED' END = ?9)
            AND (?10 < 0 OR ?10 = (
                SELECT count(*) FROM revocation WHERE transaction_id = store_transaction.id))
            \(self == .unfinished ? "AND (kind <> 'consumable' OR finished_ms IS NULL)" : "")
        ORDER BY moved.number \(isAscending ? "" : "DESC") LIMIT ?11
        """
    }
}

extension ReadScope {
    /// An account's transactions in an app after a place in their history, which is their order.
    borrowing func transactions(
        _ history: TransactionHistory, of account: AccountID, in app: AppID,
        after place: Int64?, countMax: Int
    ) throws -> [MovedTransaction] {
        try rows(
            history.source.page(isAscending: history.isAscending),
            [
                account, app, place ?? (history.isAscending ? 0 : Int64.max),
                history.startDate ?? Timestamp.range.lowerBound,
                history.endDate ?? Timestamp.range.upperBound,
                Self.list(history.productIDs), Self.list(history.kinds.map(\.rawValue).sorted()),
                Self.list(history.groups), history.ownership?.rawValue ?? "",
                history.isRevoked.map { $0 ? 1 : 0 } ?? -1, countMax,
            ]
        ).map { MovedTransaction(transaction: try StoreTransaction($0), number: try $0["number"]) }
    }

    /// Names that are looked for as a whole; empty for any.
    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "" : "\n" + names.map { $0 + "\n" }.joined(separator: "\n")
    }
}
