import StoreDatabase
import StoreModel

/// Selects a transaction that was not taken back, and does not restore one that was.
let isNotTakenBack = """
    NOT EXISTS (
        SELECT 1 FROM revocation
        WHERE transaction_id IN (store_transaction.id, store_transaction.restored_id))
    """

extension ReadScope {
    /// Whether a transaction, or the one that it restores, was taken back.
    borrowing func isTakenBack(_ transaction: StoreTransaction) throws -> Bool {
        try row(
            "SELECT 1 FROM revocation WHERE transaction_id IN (?1, ?2)",
            [transaction.id, transaction.restoration?.purchase]) != nil
    }

    borrowing func revocation(of transaction: TransactionID) throws -> Revocation? {
        try row(
            "SELECT reason, at_ms FROM revocation WHERE transaction_id = ?1", [transaction]
        ).map { try Revocation($0) }
    }

    /// The revocations of some transactions; most worlds have none.
    borrowing func revocations(
        of transactions: [TransactionID]
    ) throws -> [TransactionID: Revocation] {
        guard try row("SELECT 1 FROM revocation LIMIT 1") != nil else { return [:] }
        var found: [TransactionID: Revocation] = [:]
        for id in transactions { found[id] = try revocation(of: id) }
        return found
    }

    /// The transactions that are taken back together with one: a product that is owned once goes as
    /// a whole, with every transaction that counts as the same purchase.
    borrowing func transactionsTaken(with taken: StoreTransaction) throws -> [StoreTransaction] {
        if taken.kind == .autoRenewable, let purchase = taken.restoration?.purchase {
            // A restored transaction stands for the period itself.
            return [taken] + [try transaction(purchase)].compactMap { $0 }
        }
        guard taken.kind == .nonConsumable else { return [taken] }
        return try receiptTransactions(of: taken.account, in: taken.app)
            .filter { $0.original == taken.original }
    }
}

extension WriteScope {
    /// Takes a transaction back; `refund` is the purchase whose refund causes it.
    borrowing func revoke(
        _ transaction: TransactionID, _ revocation: Revocation, refund: TransactionID? = nil
    ) throws {
        try insert(
            into: "revocation",
            [
                "transaction_id": transaction, "reason": revocation.reason, "at_ms": revocation.at,
                "refund_id": refund,
            ])
    }

    /// Gives back the transactions that a refund took, and returns them in order. The request and
    /// the events still show that they were taken.
    borrowing func undoRevocations(ofRefund refund: TransactionID) throws -> [TransactionID] {
        let taken: [TransactionID] = try reading.values(
            """
            SELECT transaction_id FROM revocation WHERE refund_id = ?1
            ORDER BY transaction_id
            """, [refund])
        try execute(
            "DELETE FROM revocation WHERE refund_id = ?1", [refund])
        return taken
    }
}

extension Revocation {
    /// From the columns reason, at_ms.
    init(_ row: Row) throws(DatabaseError) {
        self.init(reason: try row["reason"], at: try row["at_ms"])
    }
}
