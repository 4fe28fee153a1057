/// An offer code that a person gave, written before it is sent: what became of it is asked for
/// until the store has said.
struct RedemptionRecord: Codable, Hashable, Sendable {
    let attemptId: String
    let scope: StoreScope
    let worldId: String
    let account: String
    /// The device that sends it; for another one's the store would take it anew.
    let deviceGuid: String
    let code: String

    var customer: Customer { Customer(worldId: worldId, account: account) }
}
