import StoreDatabase
import StoreModel
import StoreRules

/// A request with the names of its account and app.
struct NamedRefund: Sendable {
    let refund: Refund
    let purchase: StoreTransaction
    let account: String
    let bundleID: String
}

private let refundColumns = """
    refund_request.transaction_id, reason, requested_ms, answered_ms, consented,
    consumed_percentage, delivery, preference, sampled, granted_ms, grant_type, grant_percentage,
    grant_milliunits, refund_request.currency, declined_ms, reversed_ms
    """

private let namedOnes = """
    SELECT \(refundColumns), account.name, app.bundle_id FROM refund_request
    JOIN store_transaction ON store_transaction.id = refund_request.transaction_id
    JOIN account ON account.id = store_transaction.account_id
    JOIN app ON app.id = store_transaction.app_id
    """

extension ReadScope {
    /// The purchase that a refund of a transaction concerns: the first one of a product that is
    /// owned once, or the one that a restored transaction restores.
    borrowing func refundedPurchase(of sold: StoreTransaction) throws -> StoreTransaction {
        let id =
            sold.kind == .nonConsumable ? sold.original : sold.restoration?.purchase ?? sold.id
        return id == sold.id ? sold : try knownPurchase(id)
    }

    /// Finds the transactions whose refund was reversed, each with the time when another product
    /// replaced its period.
    borrowing func reversed(
        among transactions: [TransactionID]
    ) throws -> [TransactionID: Timestamp?] {
        var found: [TransactionID: Timestamp?] = [:]
        for id in transactions {
            let row = try row(
                """
                SELECT upgraded_ms FROM store_transaction
                JOIN refund_request ON refund_request.transaction_id = CASE kind
                    WHEN 'nonConsumable' THEN original_id ELSE coalesce(restored_id, id) END
                WHERE id = ?1 AND reversed_ms IS NOT NULL
                """, [id])
            guard let row else { continue }
            found.updateValue(
                try row["upgraded_ms"], forKey: id)
        }
        return found
    }

    /// Whether another period of the group overlaps a period that was taken back: one that stands,
    /// or one that was bought since.
    borrowing func wasBoughtAgain(_ taken: StoreTransaction) throws -> Bool {
        guard let period = taken.subscription else { return false }
        return try row(
            """
            SELECT 1 FROM store_transaction
            WHERE account_id = ?1 AND app_id = ?2 AND subscription_group = ?3 AND id <> ?4
                AND coalesce(upgraded_ms, expires_ms) > ?5 AND purchased_ms < ?6
                AND shared_id IS NULL AND restore_id IS NULL AND kind <> 'consumable'
                AND (id > ?4 OR \(isNotTakenBack))
            """,
            [
                taken.account, taken.app, period.group, taken.id, taken.purchasedAt,
                (period.upgradedAt ?? period.expiresAt).milliseconds,
            ]) != nil
    }

    /// The refund request of a purchase.
    borrowing func refund(of purchase: TransactionID) throws -> Refund? {
        try row(
            "SELECT \(refundColumns) FROM refund_request WHERE transaction_id = ?1", [purchase]
        ).map { try Refund($0) }
    }

    /// The refund request of a purchase, with names.
    borrowing func namedRefund(of purchase: TransactionID) throws -> NamedRefund? {
        let found = try row(
            "\(namedOnes) WHERE refund_request.transaction_id = ?1", [purchase])
        guard let found else { return nil }
        return try namedRefund(found)
    }

    /// The world's refunds after one of them, in the order of their purchases.
    borrowing func namedRefunds(after position: Int64, countMax: Int) throws -> [NamedRefund] {
        let found = try rows(
            """
            \(namedOnes) WHERE refund_request.transaction_id > ?1
            ORDER BY refund_request.transaction_id LIMIT ?2
            """, [position, countMax])
        var named: [NamedRefund] = []
        for row in found { named.append(try namedRefund(row)) }
        return named
    }

    /// The facts for deciding about a purchase's refund.
    borrowing func refundFacts(of purchase: StoreTransaction) throws -> RefundFacts {
        let given: Int64 =
            try value(
                "SELECT coalesce(sum(milliunits), 0) FROM refund WHERE transaction_id = ?1",
                [purchase.id]) ?? 0
        return RefundFacts(
            kind: purchase.kind, purchasedAt: purchase.purchasedAt,
            expiresAt: purchase.subscription?.expiresAt,
            isUpgraded: purchase.subscription?.upgradedAt != nil,
            charged: Money(
                milliunits: max(0, purchase.charged.milliunits - given),
                currency: purchase.charged.currency),
            isTakenBack: try isTakenBack(purchase))
    }

    private borrowing func namedRefund(_ row: Row) throws -> NamedRefund {
        let refund = try Refund(row)
        return NamedRefund(
            refund: refund, purchase: try knownPurchase(refund.transaction),
            account: try row["name"], bundleID: try row["bundle_id"])
    }

    private borrowing func knownPurchase(_ id: TransactionID) throws -> StoreTransaction {
        guard let found = try transaction(id) else {
            throw DatabaseError(code: .notADatabase, detail: "there is no transaction \(id)")
        }
        return found
    }
}

extension WriteScope {
    /// Stores a request as it is now.
    borrowing func save(_ refund: Refund) throws {
        try execute(
            """
            INSERT INTO refund_request (transaction_id, reason, requested_ms, answered_ms,
                consented, consumed_percentage, delivery, preference, sampled, granted_ms,
                grant_type, grant_percentage, grant_milliunits, currency, declined_ms, reversed_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            ON CONFLICT (transaction_id) DO UPDATE SET answered_ms = ?4, consented = ?5,
                consumed_percentage = ?6, delivery = ?7, preference = ?8, sampled = ?9,
                granted_ms = ?10, grant_type = ?11, grant_percentage = ?12,
                grant_milliunits = ?13, currency = ?14, declined_ms = ?15, reversed_ms = ?16
            """, refund.columns)
    }
}

extension Refund {
    /// From `refundColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            transaction: try row["transaction_id"],
            reason: try row["reason"],
            requestedAt: try row["requested_ms"])
        if let answeredAt: Timestamp = try row["answered_ms"] {
            answer = Answer(try Consumption(row), at: answeredAt)
        }
        if let declinedAt: Timestamp = try row["declined_ms"] {
            decision = .declined(at: declinedAt)
        } else if let grantedAt: Timestamp = try row["granted_ms"] {
            let grant = RefundGrant(
                type: try row["grant_type"], percentage: try row["grant_percentage"],
                amount: try row.money("grant_milliunits", "currency"), at: grantedAt)
            let reversedAt: Timestamp? = try row["reversed_ms"]
            decision = reversedAt.map { .reversed(grant, at: $0) } ?? .granted(grant)
        }
    }

    /// The columns in the order in which they are stored.
    fileprivate var columns: [any ColumnValue] {
        let consumption = answer?.consumption
        var (declinedAt, reversedAt): (Timestamp?, Timestamp?)
        switch decision {
        case .declined(let at): declinedAt = at
        case .reversed(_, let at): reversedAt = at
        case .granted, nil: break
        }
        return [
            transaction, reason, requestedAt, answer?.at, consumption?.customerConsented,
            consumption?.consumptionPercentage, consumption?.deliveryStatus,
            consumption?.refundPreference, consumption?.sampleContentProvided, grant?.at,
            grant?.type, grant?.percentage, grant?.amount.milliunits, grant?.amount.currency,
            declinedAt, reversedAt,
        ]
    }
}

extension Consumption {
    /// From the columns of a request that was answered.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            customerConsented: try row["consented"],
            consumptionPercentage: try row["consumed_percentage"],
            deliveryStatus: try row["delivery"], refundPreference: try row["preference"],
            sampleContentProvided: try row["sampled"])
    }
}
