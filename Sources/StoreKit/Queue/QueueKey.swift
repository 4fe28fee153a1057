/// Names an item of the queue in this process: the attempt's id, or for a purchase that was made
/// elsewhere the transaction's, with its world.
struct QueueKey: Hashable, Sendable {
    let text: String
    private let worldId: String?

    init(attemptId: String) {
        text = attemptId
        worldId = nil
    }

    init(_ name: TransactionName) {
        text = "transaction \(name.transactionId)"
        worldId = name.worldId
    }
}
