import StoreDatabase
import StoreModel

enum GrantRecords {
    /// Who was granted a purchase, if anybody; seen by a user who sends it.
    static func holder(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, for user: BackendUserID
    ) throws -> GrantHolder? {
        let environment = SQLValue.text(candidate.key.environment.rawValue)
        guard
            let row = try scope.row(
                """
                SELECT user_id, refunded_at FROM grants
                WHERE environment = ? AND key_transaction = ?
                """, [environment, .text(candidate.key.transaction)])
        else { return nil }
        let before = try scope.row(
            """
            SELECT 1 FROM submissions WHERE transaction_id = ? AND user_id = ?
                AND environment = ? AND state IN ('granted', 'alreadyGranted') LIMIT 1
            """, [.text(candidate.purchase.transactionID), .text(user.rawValue), environment])
        return GrantHolder(
            user: BackendUserID(row.text(0)),
            refundedAt: row.integerOrNil(1).map(Timestamp.init(milliseconds:)),
            // What says no end of its own is a restored copy: each restore makes new ones.
            isNewRenewal: candidate.kind == .autoRenewable
                && candidate.purchase.expiresAt != nil && before == nil)
    }

    static func insert(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, terms: NonRenewingTerms?,
        user: BackendUserID, submission: SubmissionID, now: Timestamp
    ) throws {
        try scope.execute(
            """
            INSERT INTO grants (environment, key_transaction, user_id, submission_id, product_id,
                kind, transaction_id, original_transaction_id, quantity, granted_at,
                purchased_at, length, service)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(candidate.key.environment.rawValue), .text(candidate.key.transaction),
                .text(user.rawValue), .text(submission.rawValue),
                .text(candidate.purchase.productID), .text(candidate.kind.rawValue),
                .text(candidate.purchase.transactionID),
                .text(candidate.purchase.originalTransactionID),
                .integer(candidate.purchase.quantity), .integer(now.milliseconds),
                .integer(candidate.purchase.purchasedAt?.milliseconds),
                .text(terms?.length?.iso8601), .text(terms?.service),
            ])
    }

    /// Makes a refunded grant good for a purchase that was made after the refund.
    static func renew(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, terms: NonRenewingTerms?,
        submission: SubmissionID, now: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE grants SET submission_id = ?, transaction_id = ?, quantity = ?, granted_at = ?,
                purchased_at = ?, length = ?, service = ?, refunded_at = NULL, refund_seen_at = NULL
            WHERE environment = ? AND key_transaction = ?
            """,
            [
                .text(submission.rawValue), .text(candidate.purchase.transactionID),
                .integer(candidate.purchase.quantity), .integer(now.milliseconds),
                .integer(candidate.purchase.purchasedAt?.milliseconds),
                .text(terms?.length?.iso8601), .text(terms?.service),
                .text(candidate.key.environment.rawValue), .text(candidate.key.transaction),
            ])
    }

    /// Marks the grant of a purchase that the store took back; gives its submission when it was
    /// not marked before.
    ///
    /// A refund of the original transaction takes what is kept by it, too, unless that was bought
    /// again later. Of an auto-renewable subscription one period is taken back, not the grant: its
    /// own row says so.
    static func markRefunded(
        _ scope: borrowing WriteScope, _ purchase: ReceiptSummary.Purchase,
        in environment: StoreEnvironment, now: Timestamp
    ) throws -> SubmissionID? {
        try scope.rows(
            """
            UPDATE grants SET refunded_at = ?1, refund_seen_at = ?2
            WHERE environment = ?3 AND product_id = ?5 AND refunded_at IS NULL
                AND kind != 'autoRenewable' AND (transaction_id = ?4 OR (key_transaction = ?6 AND kind != 'consumable'
                    AND (purchased_at IS NULL OR purchased_at <= ?1)))
            RETURNING submission_id
            """,
            [
                .integer((purchase.cancelledAt ?? now).milliseconds), .integer(now.milliseconds),
                .text(environment.rawValue), .text(purchase.transactionID),
                .text(purchase.productID), .text(purchase.originalTransactionID),
            ]
        ).first.map { SubmissionID($0.text(0)) }
    }

    /// What a user was granted that is marked as refunded.
    static func refunds(
        _ scope: borrowing WriteScope, of user: BackendUserID, in environment: StoreEnvironment
    ) throws -> [RefundMark] {
        try scope.rows(
            """
            SELECT key_transaction, product_id, transaction_id, kind, refunded_at, submission_id
            FROM grants WHERE user_id = ? AND environment = ? AND refunded_at IS NOT NULL
            """, [.text(user.rawValue), .text(environment.rawValue)]
        ).map { row in
            RefundMark(
                key: GrantKey(environment: environment, transaction: row.text(0)),
                claim: PurchaseClaim(
                    productID: row.text(1), transactionID: row.text(2), appVersion: ""),
                isKeptByOriginal: row.text(3) != ProductKind.consumable.rawValue,
                refundedAt: Timestamp(milliseconds: row.integer(4)),
                submission: SubmissionID(row.text(5)))
        }
    }

    /// Takes the mark off a grant.
    static func lift(_ scope: borrowing WriteScope, _ mark: RefundMark) throws {
        try scope.execute(
            """
            UPDATE grants SET refunded_at = NULL, refund_seen_at = NULL
            WHERE environment = ? AND key_transaction = ?
            """, [.text(mark.key.environment.rawValue), .text(mark.key.transaction)])
    }

    /// What a user was granted, oldest first, also what was refunded since; auto-renewable
    /// subscriptions are told by their own rows.
    static func owned(_ scope: borrowing ReadScope, by user: BackendUserID) throws -> [GrantRow] {
        try scope.rows(
            """
            SELECT product_id, kind, transaction_id, original_transaction_id, environment,
                quantity, granted_at, refunded_at, purchased_at, length, service
            FROM grants WHERE user_id = ? AND kind != 'autoRenewable'
            ORDER BY granted_at, transaction_id
            """, [.text(user.rawValue)]
        ).map(grant)
    }

    /// The non-renewing subscriptions that a user was granted and not given the money back for.
    static func nonRenewing(
        _ scope: borrowing ReadScope, by user: BackendUserID
    ) throws -> [GrantRow] {
        try scope.rows(
            """
            SELECT product_id, kind, transaction_id, original_transaction_id, environment,
                quantity, granted_at, refunded_at, purchased_at, length, service
            FROM grants WHERE user_id = ? AND kind = 'nonRenewing' AND refunded_at IS NULL
            ORDER BY granted_at, transaction_id
            """, [.text(user.rawValue)]
        ).map(grant)
    }

    private static func grant(_ row: Row) -> GrantRow {
        GrantRow(
            productID: row.text(0), kind: row.text(1), transactionID: row.text(2),
            originalTransactionID: row.text(3), environment: row.text(4),
            quantity: row.integer(5), grantedAt: Timestamp(milliseconds: row.integer(6)),
            refundedAt: row.integerOrNil(7).map(Timestamp.init(milliseconds:)),
            purchasedAt: row.integerOrNil(8).map(Timestamp.init(milliseconds:)),
            length: row.textOrNil(9).flatMap(CalendarSpan.init(iso8601:)),
            service: row.textOrNil(10))
    }

    /// Whether a user was granted a product and not given the money back.
    static func owns(
        _ scope: borrowing ReadScope, user: BackendUserID, product: String
    ) throws -> Bool {
        try scope.row(
            """
            SELECT 1 FROM grants WHERE user_id = ? AND product_id = ? AND refunded_at IS NULL
            LIMIT 1
            """, [.text(user.rawValue), .text(product)]) != nil
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
    let refundedAt: Timestamp?
    /// By the store's clock.
    let purchasedAt: Timestamp?
    /// Of a non-renewing subscription, as it was sold; nil when that was not written down.
    let length: CalendarSpan?
    /// What it gives, as the list had it then; nil likewise.
    let service: String?
}
