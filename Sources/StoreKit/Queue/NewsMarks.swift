import Synchronization

/// How far each customer's news has been processed, by this process and in the home folder.
///
/// The folder never gets ahead of a revocation that observers do not know, or of a storefront move
/// that the device's record does not hold, so that the next launch requests it again. This process
/// does not: it has the news and handles it. A mark that could not be saved is retried with later
/// ones.
final class NewsMarks: Sendable {
    private struct Mark {
        var reached: Int64
        /// The numbers of revocations that are on their way to observers.
        var untold: Set<Int64> = []
        /// The numbers of moves that are on their way to the device's record.
        var unsaved: Set<Int64> = []

        var kept: Int64 { untold.union(unsaved).min().map { min($0 - 1, reached) } ?? reached }
    }

    private let file: CursorFile
    private let marks = Mutex<[Customer: Mark]>([:])

    init(file: CursorFile) {
        self.file = file
    }

    /// Where a customer's news continues. A customer new to the folder begins with the list, and
    /// that position is saved at once.
    func begin(of customer: Customer, listed: Int64) -> Int64 {
        marks.withLock { marks in
            let known = marks[customer]?.reached ?? file.cursor(of: customer)
            let cursor = min(known ?? listed, listed)
            marks[customer, default: Mark(reached: cursor)].reached = cursor
            if known == nil { file.save(cursor, of: customer) }
            return cursor
        }
    }

    /// Records that news up to a cursor arrived, possibly including these revocations and this
    /// move.
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

    /// Records that observers have received revocations.
    func told(_ revocations: Revocations, of customer: Customer) {
        change(customer) { $0.untold.remove(revocations.number) }
    }

    /// Records that the device's record holds a move, which supersedes all earlier ones.
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
