import StoreDatabase
import StoreModel
import StoreWire

extension ReadScope {
    /// What was sold after a transaction, in the order of the sales; restored copies are left out.
    borrowing func soldTransactions(
        after position: Int64, countMax: Int
    ) throws -> [SoldTransactionBody] {
        try rows(
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
                SELECT store_transaction.*, app.bundle_id FROM store_transaction
                JOIN app ON app.id = app_id
                WHERE store_transaction.id > ?1 AND restore_id IS NULL
                ORDER BY store_transaction.id LIMIT ?2
            ) AS sold ORDER BY id
            """, [position, countMax]
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
                isShared: sharedID != nil)
        }
    }
}
