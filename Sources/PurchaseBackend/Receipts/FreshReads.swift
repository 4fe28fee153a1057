import Dispatch
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import Synchronization

/// Answers reads after the store was asked about what they show, on workers of their own.
///
/// One check of a user runs at a time, and the user's other reads that need the same one are
/// answered with it. Users take turns, however many reads each sent, and a newcomer gets a place
/// from the user that has the most. A read without a place, or whose check takes too long, is
/// answered without a check.
final class FreshReads: Sendable {
    /// A request that waits.
    private struct Read: Sendable {
        let scene: BackendScene
        let user: BackendUserID
        let subject: ContentFreshness.Subject
        let ticket: AnswerDeadlines.Ticket
        let answer: Answer
        let unchecked: Answer
    }

    typealias Answer = @Sendable () throws -> HTTPResponse

    private struct State {
        var line = FairLine<BackendUserID, Read>(placesMax: [BackendLimits.readsWaitingMax])
        /// The users with a check under way.
        var checked: Set<BackendUserID> = []
        var isClosed = false

        /// The next read of a user without a check under way.
        mutating func next() -> Read? {
            let checked = checked
            let read = line.next { !checked.contains($0.user) }
            if let read { self.checked.insert(read.user) }
            return read
        }

        /// Ends a read's check and takes those that waited for the same one.
        mutating func end(_ read: Read, wasChecked: Bool) -> [Read] {
            checked.remove(read.user)
            guard wasChecked else { return [] }
            return line.take(of: read.user, rank: 0) { $0.subject == read.subject }
        }
    }

    private let freshness: ContentFreshness
    private let deadlines: AnswerDeadlines
    private let log: Log
    private let state = Mutex(State())
    /// A job that waits here looks at the line as soon as a worker is free, so one is enough.
    private let pool = WorkerPool(
        name: "backend.reads", workersMax: BackendLimits.readWorkersMax, waitingMax: 1)
    /// Keeps late answers, which read the database, from delaying other deadlines.
    private let late = DispatchQueue(label: "backend.reads.late")

    init(freshness: ContentFreshness, deadlines: AnswerDeadlines, log: Log) {
        self.freshness = freshness
        self.deadlines = deadlines
        self.log = log
    }

    /// Answers at once if the store answered a moment ago, otherwise after it was asked. `unchecked`
    /// is for a read without a place, and for the deadline.
    func answer(
        _ scene: BackendScene, about subject: ContentFreshness.Subject, of user: BackendUserID,
        unchecked: @escaping Answer, _ answer: @escaping Answer
    ) throws {
        guard try freshness.isStale(subject, of: user) else { return scene.answer { try answer() } }
        let ticket = deadlines.watch { [late] in
            late.async { scene.answer { try unchecked() } }
        }
        let read = Read(
            scene: scene, user: user, subject: subject, ticket: ticket, answer: answer,
            unchecked: unchecked)
        if let loser = add(read) { turnAway(loser) }
        // When every seat is taken, a job that has not begun will find the read.
        guard let seat = pool.takeSeat() else { return }
        pool.start(seat) { self.work() }
    }

    /// Puts a read into the line; gives the one that has no place.
    private func add(_ read: Read) -> Read? {
        state.withLock { state in
            guard !state.isClosed else { return read }
            switch state.line.add(read, of: read.user, rank: 0) {
            case .taken: return nil
            case .displaced(let other): return other
            case .full: return read
            }
        }
    }

    private func turnAway(_ read: Read) {
        deadlines.end(read.ticket)
        read.scene.answer { try read.unchecked() }
    }

    /// On a worker: one check after the other, until none of a free user waits. A job that ends a
    /// check looks again, so a read that waits for it needs no other.
    private func work() {
        while let read = state.withLock({ $0.next() }) {
            // After the deadline its client has an answer; those behind it may still wait.
            let isAwaited = deadlines.isRunning(read.ticket)
            if isAwaited { check(read) }
            let others = state.withLock { $0.end(read, wasChecked: isAwaited) }
            for read in [read] + others { finish(read) }
        }
    }

    /// When the store is silent, what is known counts.
    private func check(_ read: Read) {
        do {
            try freshness.renew(read.subject, of: read.user)
        } catch {
            log(.requestFailed, .request(read.scene.request.id), .detail("\(error)"))
        }
    }

    private func finish(_ read: Read) {
        defer { deadlines.end(read.ticket) }
        guard deadlines.isRunning(read.ticket) else { return }
        read.scene.answer { try read.answer() }
    }

    /// Answers the reads that wait, and all later ones, without a check; those under way go on.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            var waiting: [Read] = []
            while let read = state.line.next(where: { _ in true }) { waiting.append(read) }
            return waiting
        }
        pool.close()
        for read in waiting { turnAway(read) }
    }

    /// Waits until no check is under way; false when that took too long.
    func drain(milliseconds: Int) -> Bool {
        pool.drain(milliseconds: milliseconds)
    }
}
