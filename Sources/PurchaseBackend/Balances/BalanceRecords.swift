import StoreDatabase
import StoreModel
import StoreWire

/// The ledger of consumables: what was granted, taken back and used.
enum BalanceRecords {
    /// One entry for each consumable that a user ever had, by product.
    static func all(
        _ scope: borrowing ReadScope, of user: BackendUserID, only product: String? = nil
    ) throws -> [ConsumableBalanceBody] {
        try scope.rows(
            """
            SELECT product_id, sum(quantity) AS granted,
                sum(CASE WHEN refunded_at IS NULL THEN 0 ELSE quantity - kept_quantity END)
                    AS taken_back,
                (SELECT coalesce(sum(u.quantity), 0) FROM consumable_uses u
                    WHERE u.user_id = g.user_id AND u.product_id = g.product_id) AS used
            FROM grants g WHERE user_id = ?1 AND kind = 'consumable'
                AND (?2 IS NULL OR product_id = ?2)
            GROUP BY user_id, product_id ORDER BY product_id
            """, [user, product]
        ).map { row in
            ConsumableBalanceBody(
                productId: try row["product_id"], granted: try row["granted"],
                takenBack: try row["taken_back"], used: try row["used"])
        }
    }

    static func one(
        _ scope: borrowing ReadScope, of product: String, _ user: BackendUserID
    ) throws -> ConsumableBalanceBody {
        try all(scope, of: user, only: product).first
            ?? ConsumableBalanceBody(productId: product, granted: 0, takenBack: 0, used: 0)
    }

    /// The use that was recorded under an identifier.
    static func use(
        _ scope: borrowing WriteScope, _ id: String, of user: BackendUserID
    ) throws -> (product: String, quantity: Int64)? {
        try scope.row(
            "SELECT product_id, quantity FROM consumable_uses WHERE user_id = ? AND use_id = ?",
            [user, id]
        ).map { (try $0["product_id"], try $0["quantity"]) }
    }

    static func insert(
        _ scope: borrowing WriteScope, use id: String, _ quantity: Int64, of product: String,
        by user: BackendUserID, now: Timestamp
    ) throws {
        try scope.insert(
            into: "consumable_uses",
            [
                "user_id": user, "use_id": id, "product_id": product, "quantity": quantity,
                "used_at": now,
            ])
    }
}
