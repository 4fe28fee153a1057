/// Names a transaction among those of all worlds, two of which may use the same number.
struct TransactionName: Codable, Hashable, Sendable {
    /// Nil as long as the device has not met any world.
    let worldId: String?
    let transactionId: String
}
