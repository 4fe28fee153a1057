import StoreModel

/// Subscriptions that could not be settled, left out until they are tried again, by the real clock.
struct SetAside: Sendable {
    /// For how long one is left out.
    static let pauseMilliseconds: Int64 = 60_000
    /// The most that are left out; more are taken for a failure of the database.
    static let countMax = 1_000

    private var until: [TransactionID: Timestamp] = [:]

    /// Leaves one out from now on; false when there are too many.
    mutating func add(_ original: TransactionID, at now: Timestamp) -> Bool {
        guard until[original] != nil || until.count < Self.countMax else { return false }
        until[original] = now.adding(milliseconds: Self.pauseMilliseconds)
        return true
    }

    /// The subscriptions that are left out now; the others are tried again.
    mutating func present(at now: Timestamp) -> Set<TransactionID> {
        until = until.filter { $0.value > now }
        return Set(until.keys)
    }

    /// When the next of them is tried again.
    var next: Timestamp? { until.values.min() }
}
