import StoreDatabase
import StoreModel

/// A batch of what is due, settled in one commit in the order in which it was due.
enum DueWork {
    struct Outcome: Sendable {
        let report: Settlement.Report
        /// Whether nothing more was due up to the moment asked for.
        let isDone: Bool
    }

    /// The most steps of one commit; purchases wait for no more than that.
    static let stepsMax = 200

    /// A subscription that renews fast may be due again before another one is for the first time:
    /// its next step takes its place among what this batch looked at. What lies behind that is
    /// for the next batch.
    ///
    /// Throws a `DueTrouble` for a subscription that cannot be settled, with which the commit is
    /// undone; `left` are those that are not looked at.
    static func settle(
        until moment: Timestamp, except left: Set<TransactionID> = [], time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Outcome {
        var settlement = try Settlement(time: time, scope)
        let found = try scope.reading {
            try $0.dueSubscriptions(until: moment, except: left, countMax: stepsMax)
        }
        let isWhole = found.count < stepsMax
        var line = DueLine(found)
        let horizon = found.last.map { DueLine.place(of: $0) }
        while let next = line.first, settlement.report.steps < Int64(stepsMax) {
            var due = next.due
            line.removeFirst()
            do {
                try settlement.step(&due, at: next.place.at, scope)
            } catch {
                throw DueTrouble.of(due.kept.original, error)
            }
            guard let again = due.kept.state.dueAt, again <= moment else { continue }
            let place = DueLine.place(of: due)
            if isWhole || horizon.map({ place <= $0 }) ?? false { line.insert(due) }
        }
        return Outcome(report: settlement.report, isDone: isWhole && line.first == nil)
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

    /// The next one stands last.
    private var waiting: [(place: Place, due: DueSubscription)]

    init(_ inOrder: [DueSubscription]) {
        waiting = inOrder.reversed().map { (Self.place(of: $0), $0) }
    }

    static func place(of due: DueSubscription) -> Place {
        guard let at = due.kept.state.dueAt else {
            preconditionFailure("only what is due stands in line")
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
