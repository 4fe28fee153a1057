import StoreDatabase
import StoreModel
import StoreRules

private let columns = """
    number, app_id, environment, request_id, product_id, days, storefronts, last_id, position,
    succeeded, failed, completed_ms
    """

/// The active subscriptions of a product between two others; the last value is the most rows.
let extendableSubscriptions = """
    SELECT subscription.original_id FROM subscription
    JOIN store_transaction ON store_transaction.id = subscription.newest_id
    WHERE subscription.original_id > ?1 AND subscription.original_id <= ?2
        AND subscription.app_id = ?3 AND subscription.environment = ?4
        AND subscription.product_id = ?5 AND phase = 'active'
        AND (?6 = '' OR replace(?6, storefront, '') <> ?6)
    ORDER BY subscription.original_id LIMIT ?7
    """

extension ReadScope {
    /// An app's request in an environment, by its identifier.
    borrowing func massExtension(
        _ key: String, of app: AppID, _ environment: StoreEnvironment
    ) throws -> MassExtension? {
        try row(
            """
            SELECT \(columns) FROM mass_extension
            WHERE app_id = ?1 AND environment = ?2 AND request_key = ?3
            """, [app, environment, key]
        ).map { try MassExtension($0) }
    }

    /// The oldest request that is not complete.
    borrowing func openMassExtension() throws -> MassExtension? {
        try row(
            """
            SELECT \(columns) FROM mass_extension WHERE completed_ms IS NULL
            ORDER BY number LIMIT 1
            """
        ).map { try MassExtension($0) }
    }

    borrowing func openMassExtensionCount() throws -> Int64 {
        try value("SELECT count(*) FROM mass_extension WHERE completed_ms IS NULL") ?? 0
    }

    /// The next subscriptions that a request is about, and the last one that was looked at for
    /// them; nil when there are no more.
    ///
    /// An index of a product's subscribers would slow down every purchase, so all subscriptions are
    /// looked at, a limited number at a time.
    borrowing func subscriptions(
        of request: MassExtension, countMax: Int
    ) throws -> (found: [TransactionID], end: TransactionID?) {
        let end: TransactionID? = try value(
            """
            SELECT max(original_id) FROM (
                SELECT original_id FROM subscription WHERE original_id > ?1 AND original_id <= ?2
                ORDER BY original_id LIMIT ?3) AS looked_at
            """, [request.position, request.last, Limits.subscriptionsLookedAtMax])
        guard let end else { return ([], nil) }
        let found: [TransactionID] = try values(
            extendableSubscriptions,
            [
                request.position, end, request.app, request.environment, request.terms.product,
                request.terms.storefronts?.joined(separator: ",") ?? "", countMax,
            ])
        return (found, found.count < countMax ? end : found.last)
    }
}

extension WriteScope {
    /// Keeps a request that is to be carried out.
    borrowing func add(
        _ terms: MassExtension.Terms, of app: AppID, _ environment: StoreEnvironment,
        at time: Timestamp
    ) throws {
        let next: Int64? = try value(
            "SELECT transaction_next FROM environment WHERE kind = ?1", [environment])
        let first = environment.transactionNumbers.lowerBound
        try insert(
            into: "mass_extension",
            [
                "number": try self.next("mass_extension"), "environment": environment,
                "app_id": app, "request_key": terms.key, "request_id": terms.request,
                "product_id": terms.product, "days": terms.days,
                "storefronts": terms.storefronts?.joined(separator: ","), "asked_ms": time,
                "last_id": (next ?? first) - 1, "position": first - 1,
            ])
    }

    /// Stores how far a request was carried out.
    borrowing func save(_ request: MassExtension) throws {
        try execute(
            """
            UPDATE mass_extension
            SET position = ?2, succeeded = ?3, failed = ?4, completed_ms = ?5 WHERE number = ?1
            """,
            [
                request.number, request.position, request.succeeded, request.failed,
                request.completedAt,
            ])
    }

    /// Completes a request, in its last commit.
    ///
    /// The app's server is notified: this is the one notice that no `Happening` leads to.
    borrowing func complete(_ request: MassExtension, at time: Timestamp) throws -> MassExtension {
        var complete = request
        complete.completedAt = time
        try save(complete)
        if let outbox = try outbox(of: request.app, in: request.environment, at: time) {
            try outbox.addSummary(of: complete, self)
        }
        return complete
    }
}

extension MassExtension {
    /// From `columns`.
    fileprivate init(_ row: Row) throws {
        let storefronts: String? = try row["storefronts"]
        self.init(
            number: try row["number"], app: try row["app_id"], environment: try row["environment"],
            terms: Terms(
                request: try row["request_id"], product: try row["product_id"],
                days: try row["days"],
                storefronts: storefronts?.split(separator: ",").map(String.init)),
            last: try row["last_id"], position: try row["position"],
            succeeded: try row["succeeded"], failed: try row["failed"],
            completedAt: try row["completed_ms"])
    }
}
