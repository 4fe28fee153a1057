import Dispatch
import Synchronization

/// The one writer of a database: groups waiting commands into commits, in which each fails alone.
///
/// Before a page is first changed in a savepoint, SQLite copies it aside, which cost as much as the
/// change itself. So a batch runs without savepoints: a command that throws before it has changed a
/// row has nothing to undo, and the rules refuse before they write. If one throws after that, the
/// batch is rolled back and repeated with a savepoint for each command.
final class WriteDoor: Sendable {
    /// The maximum number of waiting commands; further ones are refused.
    static let waitingMax = 10_000
    /// The maximum number of commands per commit.
    static let batchMax = 256

    struct Command: Sendable {
        /// Runs the body and keeps its value; throws what the body threw.
        let run: @Sendable (borrowing WriteScope) throws -> Void
        /// Reports to the waiting side: nil after the commit, or else why nothing was changed.
        let end: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var commands: [Command] = []
        /// The number of commands in the current batch that have not begun.
        var behind = 0
        var isDraining = false
        var isClosed = false
    }

    /// The maximum duration of a batch before it is committed, regardless of waiting commands.
    private let batchMillisecondsMax: Int
    private enum File {
        case open(Connection)
        /// Closed until the next command.
        case resting
        case closed

        var connection: Connection? {
            if case .open(let connection) = self { connection } else { nil }
        }
    }

    /// A mutex wraps a bare closure once more each time that it lends it.
    private struct Listener {
        let hear: @Sendable (Announcement) -> Void
    }

    private let file: Mutex<File>
    private let reopen: @Sendable () throws(DatabaseError) -> Connection
    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "bodega.writer")
    private let afterCommit: @Sendable () -> Void
    private let meter: CommitMeter
    /// Whether the disk failed the last commit.
    private let isTroubled = Atomic(false)
    /// Receives the announcements of each commit.
    private let listener = Mutex<Listener?>(nil)
    /// The value restored with commands that are undone.
    private let beside = Mutex<(any BesideCommits)?>(nil)

    init(
        connection: Connection, batchMillisecondsMax: Int = 20, meter: CommitMeter = CommitMeter(),
        reopen: @escaping @Sendable () throws(DatabaseError) -> Connection,
        afterCommit: @escaping @Sendable () -> Void
    ) {
        self.batchMillisecondsMax = batchMillisecondsMax
        file = Mutex(.open(connection))
        self.reopen = reopen
        self.afterCommit = afterCommit
        self.meter = meter
    }

    func keep(_ beside: any BesideCommits) {
        self.beside.withLock { $0 = beside }
    }

    func tell(_ body: @escaping @Sendable (Announcement) -> Void) {
        listener.withLock { $0 = Listener(hear: body) }
    }

    /// Whether the last commit failed because the disk is full or failing.
    var isInTrouble: Bool { isTroubled.load(ordering: .relaxed) }

    /// The number of commands that have not begun.
    var waitingCount: Int { waiting.withLock { $0.commands.count + $0.behind } }

    /// Whether a command is waiting for the running one.
    var isWanted: Bool { waiting.withLock { !$0.commands.isEmpty || $0.behind > 0 } }

    func submit(_ command: Command) {
        enum Verdict {
            case queued(mustStart: Bool)
            case refused(String)
        }
        let verdict: Verdict = waiting.withLock { waiting in
            if waiting.isClosed { return .refused("the database is closed") }
            if waiting.commands.count >= Self.waitingMax {
                return .refused("\(Self.waitingMax) commands are already waiting; try again")
            }
            waiting.commands.append(command)
            defer { waiting.isDraining = true }
            return .queued(mustStart: !waiting.isDraining)
        }
        switch verdict {
        case .queued(mustStart: true): queue.async { self.drain() }
        case .queued(mustStart: false): break
        case .refused(let why): command.end(DatabaseError(code: .unavailable, detail: why))
        }
    }

    /// Commits waiting commands and accepts no more.
    func close() {
        waiting.withLock { $0.isClosed = true }
        // An accepted command may not have started the drain yet.
        queue.sync { drain() }
    }

    /// Closes the file until the next command, unless one is under way; false when it is closed.
    func rest() -> Bool {
        whenIdle { file in
            if file.connection != nil { file = .resting }
        }
    }

    /// Frees the memory of the connection, unless a command is under way; false when it is closed.
    func shrink() -> Bool {
        whenIdle { $0.connection?.shrink() }
    }

    /// Has the writer's thread do something, unless a command is under way or the file is closed: then
    /// false.
    private func whenIdle(_ body: @escaping @Sendable (inout File) -> Void) -> Bool {
        guard waiting.withLock({ !$0.isDraining && !$0.isClosed }),
            file.withLock({ $0.connection != nil })
        else { return false }
        queue.async { [self] in
            guard waiting.withLock({ $0.commands.isEmpty && !$0.isClosed }) else { return }
            file.withLock { body(&$0) }
        }
        return true
    }

    /// Closes the file; after `close()`. False when the log beside the file is not empty, because
    /// another program reads in it.
    func letGo() -> Bool {
        file.withLock { file in
            defer { file = .closed }
            return file.connection?.emptyLog() ?? true
        }
    }

    private func drain() {
        while let batch = takeBatch() {
            let outcomes = commit(batch)
            // Commands that did not fit into the time go into the next commit.
            putBack(batch.dropFirst(outcomes.count))
            for (command, failure) in zip(batch, outcomes) { command.end(failure) }
            passOnAnnouncements()
            afterCommit()
        }
    }

    private func passOnAnnouncements() {
        guard let made = file.withLock({ $0.connection?.takeAnnouncements() }), !made.isEmpty,
            let listener = listener.withLock({ $0 })
        else { return }
        for announcement in made { listener.hear(announcement) }
    }

    private func takeBatch() -> [Command]? {
        waiting.withLock { waiting in
            guard !waiting.commands.isEmpty else {
                waiting.isDraining = false
                return nil
            }
            let batch = Array(waiting.commands.prefix(Self.batchMax))
            waiting.commands.removeFirst(batch.count)
            return batch
        }
    }

    private func putBack(_ commands: ArraySlice<Command>) {
        guard !commands.isEmpty else { return }
        waiting.withLock { $0.commands.insert(contentsOf: commands, at: 0) }
    }

    /// Runs a batch in one transaction; gives the failure or nil of each command that fitted into
    /// the time.
    private func commit(_ batch: [Command]) -> [(any Error)?] {
        let start = DispatchTime.now().uptimeNanoseconds
        let outcomes: [(any Error)?]
        do throws(DatabaseError) {
            outcomes = self.outcomes(of: batch, try connection())
        } catch {
            outcomes = batch.map { _ in error }
        }
        meter.commit(
            commands: outcomes.count,
            nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        // A batch of nothing but refusals has not shown that a write fits.
        if outcomes.contains(where: { Self.isTrouble($0) }) {
            isTroubled.store(true, ordering: .relaxed)
            meter.failure()
        } else if outcomes.contains(where: { $0 == nil }) {
            isTroubled.store(false, ordering: .relaxed)
        }
        return outcomes
    }

    /// The connection, opened again if it was closed to rest; only on the writer's queue.
    private func connection() throws(DatabaseError) -> Connection {
        try file.withLock { file throws(DatabaseError) in
            switch file {
            case .open(let connection): return connection
            case .resting:
                let connection = try reopen()
                file = .open(connection)
                return connection
            case .closed:
                preconditionFailure("a command came through a door that had let go of its file")
            }
        }
    }

    private func outcomes(of batch: [Command], _ connection: Connection) -> [(any Error)?] {
        do {
            do {
                return try inTransaction(connection) {
                    try run(batch) { try runInBatch($0, connection) }
                }
            } catch is MustUndo {
                return try inTransaction(connection) {
                    try run(batch) { try runAlone($0, connection) }
                }
            }
        } catch {
            return batch.map { _ in error }
        }
    }

    private static func isTrouble(_ failure: (any Error)?) -> Bool {
        switch (failure as? DatabaseError)?.code {
        case .diskFull, .inputOutput: true
        default: false
        }
    }

    /// Commits the body's changes; rolls them back when the body or the commit throws.
    private func inTransaction<Value>(
        _ connection: Connection, _ body: () throws -> Value
    ) throws -> Value {
        try undoingBeside {
            do {
                try connection.execute("BEGIN IMMEDIATE")
                let value = try body()
                try connection.execute("COMMIT")
                return value
            } catch {
                if !connection.isOutsideTransaction { _ = try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Restores the value beside the commits when the body throws.
    private func undoingBeside<Value>(_ body: () throws -> Value) throws -> Value {
        guard let beside = beside.withLock({ $0 }) else { return try body() }
        let mark = beside.mark()
        do {
            return try body()
        } catch {
            beside.goBack(to: mark)
            throw error
        }
    }

    /// Runs commands until the time is over; gives each one's failure or nil.
    private func run(
        _ batch: [Command], _ work: (Command) throws -> (any Error)?
    ) throws -> [(any Error)?] {
        var outcomes: [(any Error)?] = []
        let start = DispatchTime.now().uptimeNanoseconds
        for (place, command) in batch.enumerated() {
            waiting.withLock { $0.behind = batch.count - place - 1 }
            outcomes.append(try work(command))
            let spent = (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
            if spent >= batchMillisecondsMax { break }
        }
        return outcomes
    }

    /// A command threw after it had changed rows, which requires a rollback of its batch.
    private struct MustUndo: Error {}

    /// Runs a command without a savepoint. Throws when its failure affects the whole batch.
    private func runInBatch(_ command: Command, _ connection: Connection) throws -> (any Error)? {
        let before = connection.changedRows
        do {
            try undoingBeside { try command.run(WriteScope(connection: connection)) }
            return nil
        } catch {
            if connection.isOutsideTransaction { throw error }
            guard connection.changedRows == before else { throw MustUndo() }
            return error
        }
    }

    /// Runs a command in a savepoint, so that it is undone alone when it throws. Throws when the
    /// whole transaction is lost, as when SQLite ends it on a full disk.
    private func runAlone(_ command: Command, _ connection: Connection) throws
        -> (any Error)?
    {
        try connection.execute("SAVEPOINT command")
        do {
            try undoingBeside { try command.run(WriteScope(connection: connection)) }
        } catch {
            if connection.isOutsideTransaction { throw error }
            try connection.execute("ROLLBACK TO command")
            try connection.execute("RELEASE command")
            return error
        }
        try connection.execute("RELEASE command")
        return nil
    }
}
