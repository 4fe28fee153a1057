import StoreDatabase
import StoreModel
import StoreWire

enum PriceRecords {
    /// All of them, by product, storefront and time.
    static func all(_ scope: borrowing ReadScope) throws -> [PriceRecordBody] {
        try scope.rows(
            """
            SELECT product_id, storefront, currency, amount, begins_at, ends_at FROM price_records
            ORDER BY product_id, storefront, begins_at IS NOT NULL, begins_at
            """
        ).map { row in
            PriceRecordBody(
                productId: try row["product_id"], storefront: try row["storefront"],
                currency: try row["currency"], amount: try row["amount"],
                from: try row["begins_at"], until: try row["ends_at"])
        }
    }

    /// Replaces all of them.
    static func set(_ scope: borrowing WriteScope, _ prices: [PriceRecordBody]) throws {
        try scope.execute("DELETE FROM price_records")
        for price in prices {
            try scope.insert(
                into: "price_records",
                [
                    "product_id": price.productId, "storefront": price.storefront,
                    "currency": price.currency, "amount": price.amount, "begins_at": price.from,
                    "ends_at": price.until,
                ])
        }
    }
}

enum DeliveryRecords {
    /// Everything that was delivered, after a place in the order of the key.
    static func page(
        _ scope: borrowing ReadScope, after place: GrantKey?, countMax: Int
    ) throws -> [(key: GrantKey, body: DeliveryBody)] {
        try scope.rows(
            """
            SELECT environment, key_transaction, transaction_id, original_transaction_id,
                product_id, kind, granted_at
            FROM grants WHERE (environment, key_transaction) > (?, ?)
            ORDER BY environment, key_transaction LIMIT ?
            """, [place?.environment.rawValue ?? "", place?.transaction ?? "", countMax]
        ).map { row in
            let key = GrantKey(
                environment: try row["environment"], transaction: try row["key_transaction"])
            return (
                key,
                DeliveryBody(
                    environment: key.environment.wireName,
                    transactionId: try row["transaction_id"],
                    originalTransactionId: try row["original_transaction_id"],
                    productId: try row["product_id"], kind: try row["kind"],
                    grantedAt: try row["granted_at"])
            )
        }
    }
}
