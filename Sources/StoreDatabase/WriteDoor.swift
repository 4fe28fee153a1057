import Dispatch
import Synchronization

/// The one writer of a database: groups waiting commands into commits, in which each fails alone.
///
/// Before a page is changed for the first time in a savepoint, SQLite copies it aside, which cost
/// as much as the change itself. So a batch runs without savepoints: a command that throws before
/// it changed a row has nothing to undo, and the rules refuse before they write. When one throws
/// after that, the batch is rolled back and run again with a savepoint each.
final class WriteDoor: Sendable {
    /// How many commands wait at most; one more is turned away.
    static let waitingMax = 10_000
    /// How many commands share a commit at most.
    static let batchMax = 256

    struct Command: Sendable {
        /// Runs the body and keeps its value; throws what the body threw.
        let run: @Sendable (borrowing WriteScope) throws -> Void
        /// Tells the waiting side: nil after the commit, else why nothing was changed.
        let end: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var commands: [Command] = []
        /// Of the batch under way, those that have not begun.
        var behind = 0
        var isDraining = false
        var isClosed = false
    }

    /// How long a batch runs before it is committed, whoever else waits.
    private let batchMillisecondsMax: Int
    /// Nil once it let go of the file.
    private let connection: Mutex<Connection?>
    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "bodega.writer")
    private let afterCommit: @Sendable () -> Void
    /// What goes back with commands that are undone.
    private let beside = Mutex<(any BesideCommits)?>(nil)

    init(
        connection: Connection, batchMillisecondsMax: Int = 20,
        afterCommit: @escaping @Sendable () -> Void
    ) {
        self.batchMillisecondsMax = batchMillisecondsMax
        self.connection = Mutex(connection)
        self.afterCommit = afterCommit
    }

    func keep(_ beside: any BesideCommits) {
        self.beside.withLock { $0 = beside }
    }

    /// Whether a command waits for the one that runs.
    var isWanted: Bool { waiting.withLock { !$0.commands.isEmpty || $0.behind > 0 } }

    func submit(_ command: Command) {
        enum Verdict {
            case queued(mustStart: Bool)
            case refused(String)
        }
        let verdict: Verdict = waiting.withLock { waiting in
            if waiting.isClosed { return .refused("the database is closed") }
            if waiting.commands.count >= Self.waitingMax {
                return .refused("\(Self.waitingMax) commands wait already; try again")
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

    /// Commits what waits and takes nothing more.
    func close() {
        waiting.withLock { $0.isClosed = true }
        // A command that was let in may not have started the drain yet.
        queue.sync { drain() }
    }

    /// Lets go of the file; after `close()`. False when the log beside the file is not empty,
    /// because another program reads in it.
    func letGo() -> Bool {
        connection.withLock { connection in
            defer { connection = nil }
            return connection?.emptyLog() ?? true
        }
    }

    private func drain() {
        while let batch = takeBatch() {
            let outcomes = commit(batch)
            // Those that the time left no room for make the next commit.
            putBack(batch.dropFirst(outcomes.count))
            for (command, failure) in zip(batch, outcomes) { command.end(failure) }
            afterCommit()
        }
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

    /// Runs a batch in one transaction; gives each command's failure or nil, for as many as the
    /// time had room for.
    private func commit(_ batch: [Command]) -> [(any Error)?] {
        guard let connection = connection.withLock({ $0 }) else {
            preconditionFailure("a command came through a door that had let go of its file")
        }
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

    /// Commits what the body did; rolls it back when the body or the commit throws.
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

    /// Takes what is beside the commits back to where it was when the body throws.
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

    /// A command threw after it had changed rows, which only a rollback of its batch undoes.
    private struct MustUndo: Error {}

    /// Runs a command without a savepoint. Throws when its failure is not its own affair.
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

    /// Runs a command in a savepoint: what it throws undoes it alone. Throws when the whole
    /// transaction is lost, as SQLite ends it on a full disk.
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
