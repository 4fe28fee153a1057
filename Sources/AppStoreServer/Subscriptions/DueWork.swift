import StoreDatabase
import StoreModel

/// A batch of due work, settled in one commit in the order in which it was due.
enum DueWork {
    struct Outcome: Sendable {
        let report: Settlement.Report
        /// Whether nothing more is due up to the given moment.
        let isDone: Bool
    }

    /// The most steps of one commit while someone else waits to write.
    static let stepsMax = 200
    /// The most steps of one commit. Successive renewals belong to different accounts, so most
    /// steps touch pages of their own, and a commit writes a page once however often it changed.
    static let stepsAloneMax: Int64 = 2_000

    /// Settles a commit's worth of what is due up to a moment; `isWanted` tells whether someone
    /// waits to write.
    ///
    /// Throws a `DueTrouble` for a subscription that cannot be settled; that undoes the commit. The
    /// subscriptions in `left` are passed over. With `waitsForPayments`, nothing is settled that
    /// was due after a subscription that waits for its payment.
    static func settle(
        until moment: Timestamp, except left: Set<TransactionID> = [],
        waitsForPayments: Bool = false, time: WorldTime,
        _ scope: borrowing WriteScope, isWanted: () -> Bool = { true }
    ) throws -> Outcome {
        var settlement = try Settlement(time: time, scope)
        while true {
            var until = moment
            if waitsForPayments, let first = try scope.reading.firstAwaitingPayment() {
                until = min(until, first)
            }
            let isDone = try settle(
                until: until, except: left, waitsForPayments, with: &settlement, scope)
            try scope.keepManyPages(!isDone)
            if isDone || settlement.report.steps >= stepsAloneMax || isWanted() {
                return Outcome(report: settlement.report, isDone: isDone)
            }
        }
    }

    /// Takes up to `stepsMax` steps; returns whether nothing more is due.
    ///
    /// A subscription that renews fast may be due again before another one is for the first time:
    /// its next step takes its place among those found. Steps due after the last one found are left
    /// for the next call.
    private static func settle(
        until moment: Timestamp, except left: Set<TransactionID>, _ waitsForPayments: Bool,
        with settlement: inout Settlement, _ scope: borrowing WriteScope
    ) throws -> Bool {
        let found = try scope.reading.dueSubscriptions(
            until: moment, except: left, countMax: stepsMax)
        let isWhole = found.count < stepsMax
        var line = DueLine(found)
        let horizon = found.last.map { DueLine.place(of: $0) }
        let stepsEnd = settlement.report.steps + Int64(stepsMax)
        while let next = line.first, settlement.report.steps < stepsEnd {
            var due = next.due
            let asked = settlement.report.asked
            line.removeFirst()
            do {
                try settlement.step(&due, at: next.place.at, scope)
            } catch {
                throw DueTrouble.of(due.kept.original, error)
            }
            // Later work is looked for anew, up to this one.
            if waitsForPayments, settlement.report.asked > asked { return false }
            guard due.kept.payment == nil else { continue }
            guard let again = due.kept.state.dueAt, again <= moment else { continue }
            let place = DueLine.place(of: due)
            if isWhole || horizon.map({ place <= $0 }) ?? false { line.insert(due) }
        }
        return isWhole && line.first == nil
    }
}

/// Subscriptions in the order in which they are due.
private struct DueLine {
    struct Place: Comparable {
        let at: Timestamp
        let original: TransactionID

        static func < (left: Self, right: Self) -> Bool {
            (left.at, left.original) < (right.at, right.original)
        }
    }

    /// The next one is the last element.
    private var waiting: [(place: Place, due: DueSubscription)]

    init(_ inOrder: [DueSubscription]) {
        waiting = inOrder.reversed().map { (Self.place(of: $0), $0) }
    }

    static func place(of due: DueSubscription) -> Place {
        guard let at = due.kept.state.dueAt else {
            preconditionFailure("only due subscriptions are in the line")
        }
        return Place(at: at, original: due.kept.original)
    }

    var first: (place: Place, due: DueSubscription)? { waiting.last }

    mutating func removeFirst() {
        waiting.removeLast()
    }

    mutating func insert(_ due: DueSubscription) {
        let place = Self.place(of: due)
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].place > place { low = middle + 1 } else { high = middle }
        }
        waiting.insert((place, due), at: low)
    }
}

/// One subscription that cannot be settled although the database works: its stored data, or the
/// data that it needs, make no sense.
struct DueTrouble: Error, CustomStringConvertible {
    let original: TransactionID
    let cause: any Error

    var description: String { "subscription \(original): \(cause)" }

    /// An error as the trouble of one subscription; unchanged when the database itself failed.
    static func of(_ original: TransactionID, _ error: any Error) -> any Error {
        DatabaseError.isPassing(error) ? error : DueTrouble(original: original, cause: error)
    }
}

extension DatabaseError {
    /// Whether an error is of the database itself, and not of the rows that were read.
    static func isPassing(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.code else { return false }
        return switch code {
        case .constraint, .notADatabase: false
        case .diskFull, .inputOutput, .olderSchema, .newerSchema, .unavailable, .other: true
        }
    }
}
