import StoreDatabase
import StoreModel
import StoreWire

extension ReadScope {
    /// The sales after a position, production first, each environment in the order of its sales;
    /// restored copies are left out.
    borrowing func soldTransactions(
        after position: SalePosition, countMax: Int
    ) throws -> [SoldTransactionBody] {
        func sold(_ numbers: String) -> String {
            """
            SELECT store_transaction.*, app.bundle_id FROM store_transaction
            JOIN app ON app.id = app_id
            WHERE store_transaction.id \(numbers) AND restore_id IS NULL
            ORDER BY store_transaction.id LIMIT ?4
            """
        }
        return try rows(
            """
            SELECT id, original_id, environment, bundle_id, product_id, kind, quantity,
                purchased_ms, storefront, currency, charged_milliunits, offer_kind, shared_id,
                (SELECT at_ms FROM revocation
                    WHERE revocation.transaction_id = sold.id) AS revoked_ms,
                (SELECT coalesce(-sum(milliunits), 0) FROM ledger_entry
                    JOIN ledger_posting ON entry_number = number
                    WHERE ledger_entry.transaction_id = sold.id
                        AND reference = 'charge/' || sold.id AND account_kind = 'customer')
                    AS charged,
                (SELECT coalesce(sum(milliunits), 0) FROM ledger_entry
                    JOIN ledger_posting ON entry_number = number
                    WHERE ledger_entry.transaction_id = sold.id
                        AND reference <> 'charge/' || sold.id AND account_kind = 'customer')
                    AS refunded
            FROM (
                SELECT * FROM (\(sold("> ?1 AND store_transaction.id <= ?2"))) AS for_money
                UNION ALL
                SELECT * FROM (\(sold("> ?3"))) AS in_sandbox
                ORDER BY id LIMIT ?4
            ) AS sold ORDER BY id
            """,
            [
                position.production, StoreEnvironment.production.transactionNumbers.upperBound,
                max(position.sandbox, StoreEnvironment.sandbox.transactionNumbers.lowerBound - 1),
                countMax,
            ]
        ).map { row in
            let environment: StoreEnvironment = try row["environment"]
            let (id, original): (Int64, Int64) = (try row["id"], try row["original_id"])
            let sharedID: Int64? = try row["shared_id"]
            return SoldTransactionBody(
                transactionId: "\(id)", originalTransactionId: "\(original)",
                environment: environment.wireName, bundleId: try row["bundle_id"],
                productId: try row["product_id"], kind: try row["kind"],
                quantity: try row["quantity"], purchasedAt: try row["purchased_ms"],
                storefront: try row["storefront"], currency: try row["currency"],
                priceMilliunits: try row["charged_milliunits"],
                chargedMilliunits: try row["charged"], refundedMilliunits: try row["refunded"],
                revokedAt: try row["revoked_ms"], offer: try row["offer_kind"],
                isShared: sharedID != nil,
                orderId: sharedID == nil
                    ? OrderNumber(of: TransactionID(id), in: environment)?.text : nil)
        }
    }
}
