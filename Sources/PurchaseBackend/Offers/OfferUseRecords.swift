import StoreDatabase
import StoreModel

/// The signatures that were used, as receipts show.
enum OfferUseRecords {
    /// Notes the periods of a subscription that were bought with an offer. Of consecutive periods
    /// at one offer's price, the first one seen uses a signature.
    ///
    /// Each period is decided once, whatever is signed later: receipts list old periods for ever.
    static func note(
        _ scope: borrowing WriteScope, _ periods: [ReceiptSummary.Purchase],
        of owner: BackendUserID, in environment: StoreEnvironment
    ) throws {
        let bought = periods.filter { $0.offerID != nil }
        for period in bought.sorted(by: isOlder) {
            guard try !isKnown(scope, period, in: environment) else { continue }
            let goesOn = try goesOn(scope, period, in: environment)
            try insert(scope, period, in: environment)
            if !goesOn { try use(scope, period, by: owner, in: environment) }
        }
    }

    private static func isOlder(
        _ left: ReceiptSummary.Purchase, _ right: ReceiptSummary.Purchase
    ) -> Bool {
        (left.purchasedAt?.milliseconds ?? 0, left.transactionID)
            < (right.purchasedAt?.milliseconds ?? 0, right.transactionID)
    }

    /// Whether a period was seen before; its dates are brought up to date, since the store may have
    /// extended it.
    private static func isKnown(
        _ scope: borrowing WriteScope, _ period: ReceiptSummary.Purchase,
        in environment: StoreEnvironment
    ) throws -> Bool {
        let key: [any ColumnValue] = [environment, period.transactionID]
        guard
            let known = try scope.row(
                """
                SELECT begins_at, ends_at FROM offer_periods
                WHERE environment = ? AND transaction_id = ?
                """, key)
        else { return false }
        let dates = [period.purchasedAt, period.expiresAt]
        if [try known["begins_at"], try known["ends_at"]] != dates {
            try scope.execute(
                """
                UPDATE offer_periods
                SET original_transaction = ?, begins_at = ?, ends_at = ?
                WHERE environment = ? AND transaction_id = ?
                """,
                [period.originalTransactionID] + dates + key)
        }
        return true
    }

    /// Whether a period continues an offer that another one began, or the other way round: a newer
    /// period may be seen first.
    private static func goesOn(
        _ scope: borrowing WriteScope, _ period: ReceiptSummary.Purchase,
        in environment: StoreEnvironment
    ) throws -> Bool {
        try scope.row(
            """
            SELECT 1 FROM offer_periods
            WHERE environment = ? AND original_transaction = ? AND product_id = ?
                AND offer_id = ? AND (ends_at = ? OR begins_at = ?) LIMIT 1
            """,
            [
                environment, period.originalTransactionID, period.productID, period.offerID,
                period.purchasedAt, period.expiresAt,
            ]) != nil
    }

    private static func insert(
        _ scope: borrowing WriteScope, _ period: ReceiptSummary.Purchase,
        in environment: StoreEnvironment
    ) throws {
        try scope.insert(
            into: "offer_periods",
            [
                "environment": environment, "transaction_id": period.transactionID,
                "original_transaction": period.originalTransactionID,
                "product_id": period.productID, "offer_id": period.offerID,
                "begins_at": period.purchasedAt, "ends_at": period.expiresAt,
            ])
    }

    /// Takes the newest unused signature of a period's user, which is the one given to an app last.
    ///
    /// The user is the one whose name the payment had, whoever submitted the receipt; without a
    /// name, the owner of the subscription (`owner`).
    private static func use(
        _ scope: borrowing WriteScope, _ period: ReceiptSummary.Purchase,
        by owner: BackendUserID, in environment: StoreEnvironment
    ) throws {
        let username = period.appAccountToken ?? TokenMint.applicationUsername(of: owner)
        try scope.execute(
            """
            UPDATE offer_signatures SET used_environment = ?1, used_transaction = ?2
            WHERE nonce = (SELECT nonce FROM offer_signatures
                    WHERE application_username = ?3 AND product_id = ?4 AND offer_id = ?5
                        AND used_transaction IS NULL
                    ORDER BY signed_at DESC, nonce LIMIT 1)
            """,
            [
                environment, period.transactionID, username, period.productID, period.offerID,
            ])
    }
}
