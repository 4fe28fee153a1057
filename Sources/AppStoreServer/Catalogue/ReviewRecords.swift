import StoreDatabase
import StoreModel
import StoreRules

/// One entry of the review history.
struct ReviewEntry: Sendable {
    let number: Int64
    let product: ProductID
    let step: ReviewStep
    let state: SaleState
    let reason: RejectionReason?
    let note: String?
    let at: Timestamp

    /// The request that caused it.
    var request: ReviewRequest { ReviewRequest(state: state, reason: reason, note: note) }
}

private let reviewColumns = "number, product_id, step, state, reason, note, at_ms"

extension ReadScope {
    /// Entries after a number, oldest first; of one product when it is named.
    borrowing func reviews(
        of app: AppID, product: ProductID?, after number: Int64, countMax: Int
    ) throws -> [ReviewEntry] {
        let filter = product == nil ? "" : "AND product_id = ?4"
        let values: [any ColumnValue] = [app, number, countMax]
        return try rows(
            """
            SELECT \(reviewColumns) FROM product_review
            WHERE app_id = ?1 AND number > ?2 \(filter) ORDER BY number LIMIT ?3
            """, values + (product.map { [$0] } ?? [])
        ).map { try ReviewEntry($0) }
    }

    /// The newest entry of a product.
    borrowing func lastReview(of product: ProductID, in app: AppID) throws -> ReviewEntry? {
        try row(
            """
            SELECT \(reviewColumns) FROM product_review
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY number DESC LIMIT 1
            """, [app, product]
        ).map { try ReviewEntry($0) }
    }
}

extension WriteScope {
    borrowing func addReview(
        _ step: ReviewStep, of product: ProductID, in app: AppID, to state: SaleState,
        reason: RejectionReason? = nil, note: String? = nil, now: Timestamp
    ) throws {
        try insert(
            into: "product_review",
            [
                "number": try next("product_review"), "app_id": app, "product_id": product,
                "step": step, "state": state, "reason": reason, "note": note, "at_ms": now,
            ])
    }
}

extension ReviewEntry {
    /// From `reviewColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: try row["number"], product: try row["product_id"],
            step: try row["step"], state: try row["state"],
            reason: try row["reason"], note: try row["note"], at: try row["at_ms"])
    }
}
