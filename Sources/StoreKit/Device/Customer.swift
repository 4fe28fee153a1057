/// Who buys, and in which of all worlds: what a store's facts belong to.
struct Customer: Codable, Hashable, Sendable {
    /// The world's own UUID, as the store tells it in every session.
    let worldId: String
    /// The name of the account there.
    let account: String
}
