import StoreDatabase
import StoreModel

/// Of a transaction that was not taken back, and gives nothing back that was.
let isNotTakenBack = """
    NOT EXISTS (
        SELECT 1 FROM revocation
        WHERE transaction_id IN (store_transaction.id, store_transaction.restored_id))
    """

extension ReadScope {
    /// Whether a transaction was taken back, or what it gives back was.
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

    /// Those of some transactions; most worlds have none at all.
    borrowing func revocations(
        of transactions: [TransactionID]
    ) throws -> [TransactionID: Revocation] {
        guard try row("SELECT 1 FROM revocation LIMIT 1") != nil else { return [:] }
        var found: [TransactionID: Revocation] = [:]
        for id in transactions { found[id] = try revocation(of: id) }
        return found
    }

    /// What goes when a transaction is taken back: what is owned once goes as a whole, with every
    /// transaction that counts as it.
    borrowing func transactionsTaken(with taken: StoreTransaction) throws -> [StoreTransaction] {
        if taken.kind == .autoRenewable, let purchase = taken.restoration?.purchase {
            // What was given back is the period itself.
            return [taken] + [try transaction(purchase)].compactMap { $0 }
        }
        guard taken.kind == .nonConsumable else { return [taken] }
        return try receiptTransactions(of: taken.account, in: taken.app)
            .filter { $0.original == taken.original }
    }
}

extension WriteScope {
    /// Takes a transaction back; `refund` is the purchase whose refund does.
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

    /// Gives back what a refund took, and says which transactions those are, in their order. The
    /// request and the events say that it was taken.
    borrowing func undoRevocations(ofRefund refund: TransactionID) throws -> [TransactionID] {
        let taken: [TransactionID] = try reading {
            try $0.values(
                """
                SELECT transaction_id FROM revocation WHERE refund_id = ?1
                ORDER BY transaction_id
                """, [refund])
        }
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
