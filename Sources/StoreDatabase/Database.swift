import Dispatch
import Synchronization

/// One SQLite file with one write door and several readers.
package final class Database: Sendable {
    package enum Durability: Sendable {
        /// Every commit is synced before it is answered.
        case full
        /// Survives the process, not the power; for test sessions.
        case processOnly
    }

    package static let readersMax = 4

    private let path: String
    private let door: WriteDoor
    private let readers: ReaderPool
    private let checkpointer: Checkpointer?

    /// Opens or creates the file and brings its schema up to date.
    ///
    /// Throws `DatabaseError`, `.olderSchema` or `.newerSchema` when the schema cannot be brought there.
    package init(path: String, durability: Durability, schema: Schema) throws {
        let writer = try Connection(path: path, .create)
        let mode = try writer.rows("PRAGMA journal_mode = WAL").first?.text(0)
        guard mode == "wal" else {
            throw DatabaseError(
                code: .inputOutput,
                detail: "\(path) cannot have a write-ahead log; is it on a network drive?")
        }
        let checkpointer = durability == .full ? try Checkpointer(path: path) : nil
        try writer.execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
        try writer.execute("PRAGMA foreign_keys = ON")
        if durability == .full { _ = try writer.rows("PRAGMA wal_autocheckpoint = 0") }
        try writer.bring(to: schema)
        self.path = path
        self.checkpointer = checkpointer
        readers = ReaderPool(path: path, readersMax: Self.readersMax)
        door = WriteDoor(connection: writer) { checkpointer?.schedule() }
    }

    /// Has something in memory go back with every command that is undone, from now on.
    package func keep(_ beside: any BesideCommits) {
        door.keep(beside)
    }

    /// Runs a body on a reader, on this thread, seeing one consistent moment.
    package func read<Value>(_ body: (borrowing ReadScope) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    /// Queues a command for the next commit. A body that throws changes nothing and fails alone.
    ///
    /// A body may run twice, when what it did had to be undone for another's sake: it reads and
    /// writes rows and does nothing else but to what `keep` was told of. It makes and drops no
    /// tables.
    ///
    /// `then` is called on the writer's thread after the commit that holds it, so it must be
    /// short. Nothing is promised before that.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let box = Box<Value>()
        door.submit(
            WriteDoor.Command(
                run: { scope in box.fill(try body(scope)) },
                end: { failure in then(box.result(after: failure)) }))
    }

    /// The same, waiting for the commit on this thread; never called from a `then`.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteScope) throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<Value, any Error>?>(nil)
        write(body) { result in
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = answer.withLock({ $0 }) else {
            preconditionFailure("a write ended without a result")
        }
        return try result.get()
    }

    /// Whether somebody waits for the command that runs now, which may end early for them. To be
    /// asked by that command.
    package var isWriterWanted: Bool { door.isWanted }

    /// Writes what is committed at this moment into a new file, while others read and write.
    ///
    /// The copy is whole and synced when this returns; its name is the caller's to make last.
    package func copy(to target: String) throws {
        try Connection(path: path).execute("VACUUM INTO ?1", [.text(target)])
        try syncFile(target)
    }

    /// Commits what waits and takes no more to write; reading goes on.
    package func stopWriting() {
        door.close()
    }

    /// Commits what waits, ends what reads, and lets go of the file: nothing of it is beside it
    /// any more. False when another program has it open and something is.
    ///
    /// Not called from within a read.
    @discardableResult
    package func close() -> Bool {
        door.close()
        checkpointer?.close()
        readers.close()
        return door.letGo()
    }
}

/// A command's value between its run and its commit.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func fill(_ new: Value) {
        value.withLock { $0 = new }
    }

    func result(after failure: (any Error)?) -> Result<Value, any Error> {
        if let failure { return .failure(failure) }
        guard let value = value.withLock({ $0 }) else {
            preconditionFailure("a command was committed without having run")
        }
        return .success(value)
    }
}
