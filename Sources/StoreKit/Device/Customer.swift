/// Who buys, and in which of all worlds: what a store's facts belong to.
struct Customer: Codable, Hashable, Sendable {
    /// The world's own UUID, as the store tells it in every session.
    let worldId: String
    /// The name of the account there.
    let account: String
}

/// Names a transaction among those of all worlds, two of which may use the same number.
struct TransactionName: Codable, Hashable, Sendable {
    /// Nil as long as the device has not met any world.
    let worldId: String?
    let transactionId: String
}
