import Synchronization

/// How far each customer's news were taken in, by this process and in the home folder.
///
/// The folder is never ahead of a revocation that observers have not heard of, nor of a move to
/// another storefront that the device's record does not hold, so that the next launch asks for it
/// again. This process does not: it has the news, and deals with them. What it could not save of
/// them is tried again with later ones.
final class NewsMarks: Sendable {
    private struct Mark {
        var reached: Int64
        /// The numbers of the revocations that are on their way to observers.
        var untold: Set<Int64> = []
        /// The numbers of the moves that are on their way to the device's record.
        var unsaved: Set<Int64> = []

        var kept: Int64 { untold.union(unsaved).min().map { min($0 - 1, reached) } ?? reached }
    }

    private let file: CursorFile
    private let marks = Mutex<[Customer: Mark]>([:])

    init(file: CursorFile) {
        self.file = file
    }

    /// Where a customer's news go on. Who is new to the folder begins with the list, which is
    /// noted at once.
    func begin(of customer: Customer, listed: Int64) -> Int64 {
        marks.withLock { marks in
            let known = marks[customer]?.reached ?? file.cursor(of: customer)
            let cursor = min(known ?? listed, listed)
            marks[customer, default: Mark(reached: cursor)].reached = cursor
            if known == nil { file.save(cursor, of: customer) }
            return cursor
        }
    }

    /// Notes that news up to a cursor came, with these revocations and this move among them, if
    /// any.
    func came(
        upTo cursor: Int64, of customer: Customer, _ revocations: Revocations?,
        _ move: StorefrontMove?
    ) {
        change(customer) { mark in
            mark.reached = cursor
            if let revocations { mark.untold.insert(revocations.number) }
            if let move { mark.unsaved.insert(move.number) }
        }
    }

    /// Notes that observers have heard of revocations.
    func told(_ revocations: Revocations, of customer: Customer) {
        change(customer) { $0.untold.remove(revocations.number) }
    }

    /// Notes that the device's record holds a move, which makes up for all before it.
    func saved(_ move: StorefrontMove, of customer: Customer) {
        change(customer) { mark in mark.unsaved = mark.unsaved.filter { $0 > move.number } }
    }

    private func change(_ customer: Customer, _ body: (inout Mark) -> Void) {
        marks.withLock { marks in
            guard var mark = marks[customer] else { return }
            body(&mark)
            marks[customer] = mark
            file.save(mark.kept, of: customer)
        }
    }
}
