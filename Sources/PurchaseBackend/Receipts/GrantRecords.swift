import StoreDatabase
import StoreModel

enum GrantRecords {
    /// The holder of a granted purchase, if any, as seen by the user who submits it.
    static func holder(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, for user: BackendUserID
    ) throws -> GrantHolder? {
        let environment = candidate.key.environment
        guard
            let row = try scope.row(
                """
                SELECT user_id, refunded_at FROM grants
                WHERE environment = ? AND key_transaction = ?
                """, [environment, candidate.key.transaction])
        else { return nil }
        let before = try scope.row(
            """
            SELECT 1 FROM submissions WHERE transaction_id = ? AND user_id = ?
                AND environment = ? AND state IN ('granted', 'alreadyGranted') LIMIT 1
            """, [candidate.purchase.transactionID, user, environment])
        return GrantHolder(
            user: try row["user_id"],
            refundedAt: try row["refunded_at"],
            // A restored copy has no expiry of its own, and each restore makes new ones.
            isNewRenewal: candidate.kind == .autoRenewable
                && candidate.purchase.expiresAt != nil && before == nil)
    }

    static func insert(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, terms: NonRenewingTerms?,
        user: BackendUserID, submission: SubmissionID, now: Timestamp, nextCheckAt: Timestamp
    ) throws {
        let isChecked = candidate.kind != .autoRenewable
        try scope.insert(
            into: "grants",
            [
                "environment": candidate.key.environment,
                "key_transaction": candidate.key.transaction, "user_id": user,
                "submission_id": submission, "product_id": candidate.purchase.productID,
                "kind": candidate.kind, "transaction_id": candidate.purchase.transactionID,
                "original_transaction_id": candidate.purchase.originalTransactionID,
                "quantity": candidate.purchase.quantity, "granted_at": now,
                "purchased_at": candidate.purchase.purchasedAt, "length": terms?.length?.iso8601,
                "service": terms?.service, "checked_at": isChecked ? now : nil as Timestamp?,
                "asked_at": isChecked ? now : nil as Timestamp?,
                "next_check_at": isChecked ? nextCheckAt : nil as Timestamp?,
            ])
    }

    /// Renews a refunded grant for a purchase that was made after the refund.
    static func renew(
        _ scope: borrowing WriteScope, _ candidate: GrantCandidate, terms: NonRenewingTerms?,
        submission: SubmissionID, now: Timestamp, nextCheckAt: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE grants SET submission_id = ?, transaction_id = ?, quantity = ?, granted_at = ?4,
                purchased_at = ?, length = ?, service = ?, refunded_at = NULL,
                refund_seen_at = NULL, shows_refund = 0, kept_quantity = 0, checked_at = ?4,
                asked_at = ?4, check_failures = 0, check_refusals = 0,
                next_check_at = CASE kind WHEN 'autoRenewable' THEN NULL ELSE ? END
            WHERE environment = ? AND key_transaction = ?
            """,
            [
                submission, candidate.purchase.transactionID, candidate.purchase.quantity, now,
                candidate.purchase.purchasedAt, terms?.length?.iso8601, terms?.service,
                nextCheckAt, candidate.key.environment, candidate.key.transaction,
            ])
    }

    /// Marks the grant of a purchase that the store revoked, and returns it unless it was marked
    /// before. Its own receipt is asked about at once: the answer that shows the refund is the one
    /// that can show its reversal.
    ///
    /// A refund of the original transaction also revokes what is kept by it, unless that was bought
    /// again later. A refund of an auto-renewable subscription revokes one period, not the grant:
    /// its own row says so.
    static func markRefunded(
        _ scope: borrowing WriteScope, _ purchase: ReceiptSummary.Purchase,
        in environment: StoreEnvironment, now: Timestamp
    ) throws -> RefundedGrant? {
        try scope.row(
            """
            UPDATE grants SET refunded_at = ?1, refund_seen_at = ?2, shows_refund = 0,
                next_check_at = ?2, check_failures = 0, check_refusals = 0
            WHERE environment = ?3 AND product_id = ?5 AND refunded_at IS NULL
                AND kind != 'autoRenewable'
                AND (transaction_id = ?4 OR (key_transaction = ?6 AND kind != 'consumable'
                    AND (purchased_at IS NULL OR purchased_at <= ?1)))
            RETURNING key_transaction, user_id, submission_id, product_id, kind, quantity
            """,
            [
                purchase.cancelledAt ?? now, now, environment,
                purchase.transactionID, purchase.productID, purchase.originalTransactionID,
            ]
        ).map { row in
            RefundedGrant(
                key: GrantKey(environment: environment, transaction: try row["key_transaction"]),
                user: try row["user_id"], submission: try row["submission_id"],
                productID: try row["product_id"],
                isConsumable: try row["kind"] == ProductKind.consumable.rawValue,
                quantity: try row["quantity"])
        }
    }

    /// Notes how much of a refunded consumable its user keeps.
    static func keep(
        _ scope: borrowing WriteScope, _ quantity: Int64, of key: GrantKey
    ) throws {
        try scope.execute(
            "UPDATE grants SET kept_quantity = ? WHERE environment = ? AND key_transaction = ?",
            [quantity, key.environment, key.transaction])
    }

    /// A user's grants that are marked as refunded.
    static func refunds(
        _ scope: borrowing ReadScope, of user: BackendUserID
    ) throws -> [RefundMark] {
        try scope.rows(
            """
            SELECT environment, key_transaction, product_id, transaction_id, kind, refunded_at,
                submission_id, shows_refund
            FROM grants WHERE user_id = ? AND refunded_at IS NOT NULL
            """, [user]
        ).map { row in
            RefundMark(
                key: GrantKey(
                    environment: try row["environment"], transaction: try row["key_transaction"]),
                claim: PurchaseClaim(
                    productID: try row["product_id"], transactionID: try row["transaction_id"],
                    appVersion: ""),
                isKeptByOriginal: try row["kind"] != ProductKind.consumable.rawValue,
                refundedAt: try row["refunded_at"],
                submission: try row["submission_id"], isShown: try row["shows_refund"])
        }
    }

    /// Notes that the answer for a grant's own receipt shows its refund.
    static func showRefund(
        _ scope: borrowing WriteScope, of key: GrantKey
    ) throws {
        try scope.execute(
            "UPDATE grants SET shows_refund = 1 WHERE environment = ? AND key_transaction = ?",
            [key.environment, key.transaction])
    }

    /// Removes the mark from a grant, which is checked again from now on.
    static func lift(
        _ scope: borrowing WriteScope, _ mark: RefundMark, now: Timestamp
    ) throws {
        try scope.execute(
            """
            UPDATE grants SET refunded_at = NULL, refund_seen_at = NULL, shows_refund = 0,
                kept_quantity = 0, next_check_at = ?
            WHERE environment = ? AND key_transaction = ?
            """, [now, mark.key.environment, mark.key.transaction])
    }

    /// A user's grants, oldest first, including refunded ones; auto-renewable subscriptions have
    /// their own rows.
    static func owned(_ scope: borrowing ReadScope, by user: BackendUserID) throws -> [GrantRow] {
        try scope.rows(
            """
            SELECT product_id, kind, transaction_id, original_transaction_id, environment,
                quantity, granted_at, refunded_at, purchased_at, length, service
            FROM grants WHERE user_id = ? AND kind != 'autoRenewable'
            ORDER BY granted_at, transaction_id
            """, [user]
        ).map(grant)
    }

    /// The non-renewing subscriptions that were granted to a user and not refunded.
    static func nonRenewing(
        _ scope: borrowing ReadScope, by user: BackendUserID
    ) throws -> [GrantRow] {
        try scope.rows(
            """
            SELECT product_id, kind, transaction_id, original_transaction_id, environment,
                quantity, granted_at, refunded_at, purchased_at, length, service
            FROM grants WHERE user_id = ? AND kind = 'nonRenewing' AND refunded_at IS NULL
            ORDER BY granted_at, transaction_id
            """, [user]
        ).map(grant)
    }

    private static func grant(_ row: Row) throws -> GrantRow {
        let length: String? = try row["length"]
        return GrantRow(
            productID: try row["product_id"], kind: try row["kind"],
            transactionID: try row["transaction_id"],
            originalTransactionID: try row["original_transaction_id"],
            environment: try row["environment"],
            quantity: try row["quantity"], grantedAt: try row["granted_at"],
            refundedAt: try row["refunded_at"],
            purchasedAt: try row["purchased_at"],
            length: length.flatMap { CalendarSpan(iso8601: $0) },
            service: try row["service"])
    }

    /// Whether a product was granted to a user and not refunded.
    static func owns(
        _ scope: borrowing ReadScope, user: BackendUserID, product: String
    ) throws -> Bool {
        try scope.row(
            """
            SELECT 1 FROM grants WHERE user_id = ? AND product_id = ? AND refunded_at IS NULL
            LIMIT 1
            """, [user, product]) != nil
    }
}

/// A grant that was just marked as refunded.
struct RefundedGrant: Hashable, Sendable {
    let key: GrantKey
    let user: BackendUserID
    let submission: SubmissionID
    let productID: String
    let isConsumable: Bool
    let quantity: Int64
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
    /// Of a non-renewing subscription, as it was sold; nil when it was not recorded.
    let length: CalendarSpan?
    /// Its service, as the list had it then; nil likewise.
    let service: String?
}
