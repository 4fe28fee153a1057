/// An account and its world: the owner of everything that a store reports.
struct Customer: Codable, Hashable, Sendable {
    /// The world's own UUID, which the store sends in every session.
    let worldId: String
    /// The name of the account there.
    let account: String
}

/// Names a transaction across all worlds, two of which may use the same number.
struct TransactionName: Codable, Hashable, Sendable {
    /// Nil until the device has met a world.
    let worldId: String?
    let transactionId: String
    /// The attempt that the store only answered with this transaction: the answer is finished by
    /// itself. Nil for the transaction.
    var attemptId: String?
}
