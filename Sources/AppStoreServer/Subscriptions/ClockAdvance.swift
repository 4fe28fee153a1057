import StoreDatabase
import StoreModel
import StoreWire

/// A clock on its way to another time: everything that is due until then happens first, in its
/// order. The world's time goes along with what happened.
struct ClockAdvance: Sendable {
    typealias State = ClockAdvanceBody.State

    let number: Int64
    let from: Timestamp
    let to: Timestamp
    var state = State.running
    var report = Settlement.Report()
    /// Why it failed.
    var failure: String?
}

extension Settlement.Report {
    mutating func add(_ other: Self) {
        renewals += other.renewals
        failedPayments += other.failedPayments
        endings += other.endings
    }
}
