import StoreDatabase
import StoreModel
import StoreWire

/// A clock on its way to another time: everything due until then happens first, in order. The
/// world's time follows the events.
struct ClockAdvance: Sendable {
    typealias State = ClockAdvanceBody.State

    let number: Int64
    let from: Timestamp
    let to: Timestamp
    /// False when the clock was set to that time and already shows it.
    let movesClock: Bool
    var state = State.running
    var report = Settlement.Report()
    /// The due subscriptions that could not be settled, once it is done.
    var leftOut = LeftOut()
    /// Why it failed.
    var failure: String?
}

/// Subscriptions that are due and not settled: how many, and the first of them.
struct LeftOut: Sendable {
    var count: Int64 = 0
    var first: [TransactionID] = []
}

extension Settlement.Report {
    mutating func add(_ other: Self) {
        renewals += other.renewals
        failedPayments += other.failedPayments
        endings += other.endings
    }
}
