import StoreDatabase
import StoreModel

enum GrantQueries {
    /// Who was granted a purchase, if anybody.
    static func holder(_ scope: borrowing WriteScope, _ key: GrantKey) throws -> BackendUserID? {
        try scope.row(
            "SELECT user_id FROM grants WHERE environment = ? AND key_transaction = ?",
            [.text(key.environment.rawValue), .text(key.transaction)]
        ).map { BackendUserID($0.text(0)) }
    }

    static func insert(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, user: BackendUserID,
        submission: SubmissionID, now: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO grants (environment, key_transaction, user_id, submission_id, product_id,
                kind, transaction_id, original_transaction_id, quantity, granted_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(candidate.key.environment.rawValue), .text(candidate.key.transaction),
                .text(user.rawValue), .text(submission.rawValue),
                .text(candidate.purchase.productID), .text(candidate.kind.rawValue),
                .text(candidate.purchase.transactionID),
                .text(candidate.purchase.originalTransactionID),
                .integer(candidate.purchase.quantity), .integer(now.milliseconds),
            ])
    }

    /// What a user owns, oldest first.
    static func owned(_ scope: borrowing ReadScope, by user: BackendUserID) throws -> [GrantRow] {
        try scope.rows(
            """
            SELECT product_id, kind, transaction_id, original_transaction_id, environment,
                quantity, granted_at
            FROM grants WHERE user_id = ? ORDER BY granted_at, transaction_id
            """, [.text(user.rawValue)]
        ).map { row in
            GrantRow(
                productID: row.text(0), kind: row.text(1), transactionID: row.text(2),
                originalTransactionID: row.text(3), environment: row.text(4),
                quantity: row.integer(5), grantedAt: Timestamp(milliseconds: row.integer(6)))
        }
    }

    static func owns(
        _ scope: borrowing ReadScope, user: BackendUserID, product: String
    ) throws -> Bool {
        try scope.row(
            "SELECT 1 FROM grants WHERE user_id = ? AND product_id = ? LIMIT 1",
            [.text(user.rawValue), .text(product)]) != nil
    }
}

/// One purchase that was granted.
struct GrantRow: Hashable, Sendable {
    let productID: String
    let kind: String
    let transactionID: String
    let originalTransactionID: String
    let environment: String
    let quantity: Int64
    let grantedAt: Timestamp
}
