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

    /// The request that led to it.
    var request: ReviewRequest { ReviewRequest(state: state, reason: reason, note: note) }
}

private let reviewColumns = "number, product_id, step, state, reason, note, at_ms"

extension ReadScope {
    /// Entries after a number, oldest first; of one product when it is named.
    borrowing func reviews(
        of app: AppID, product: ProductID?, after number: Int64, countMax: Int
    ) throws -> [ReviewEntry] {
        let filter = product == nil ? "" : "AND product_id = ?4"
        let values: [SQLValue] = [
            .integer(app.rawValue), .integer(number), .integer(Int64(countMax)),
        ]
        return try rows(
            """
            SELECT \(reviewColumns) FROM product_review
            WHERE app_id = ?1 AND number > ?2 \(filter) ORDER BY number LIMIT ?3
            """, values + (product.map { [.text($0.rawValue)] } ?? [])
        ).map { try ReviewEntry($0) }
    }

    /// The newest entry of a product.
    borrowing func lastReview(of product: ProductID, in app: AppID) throws -> ReviewEntry? {
        try row(
            """
            SELECT \(reviewColumns) FROM product_review
            WHERE app_id = ?1 AND product_id = ?2 ORDER BY number DESC LIMIT 1
            """, [.integer(app.rawValue), .text(product.rawValue)]
        ).map { try ReviewEntry($0) }
    }
}

extension WriteScope {
    borrowing func addReview(
        _ step: ReviewStep, of product: ProductID, in app: AppID, to state: SaleState,
        reason: RejectionReason? = nil, note: String? = nil, now: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO product_review (number, app_id, product_id, step, state, reason, note, at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(try next("product_review")), .integer(app.rawValue),
                .text(product.rawValue), .text(step.rawValue), .text(state.rawValue),
                .text(reason?.rawValue), .text(note), .integer(now.milliseconds),
            ])
    }
}

extension ReviewEntry {
    /// From `reviewColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: row.integer(0), product: ProductID(row.text(1)),
            step: try ReviewStep(stored: row.text(2)), state: try SaleState(stored: row.text(3)),
            reason: try row.textOrNil(4).map { text throws(DatabaseError) in
                try RejectionReason(stored: text)
            }, note: row.textOrNil(5), at: Timestamp(milliseconds: row.integer(6)))
    }
}
