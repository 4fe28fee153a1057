/// Names a transaction among those of all worlds, which count from the same numbers.
struct TransactionName: Codable, Hashable, Sendable {
    /// Nil as long as the device has not met any world.
    let worldId: String?
    let transactionId: String
}
