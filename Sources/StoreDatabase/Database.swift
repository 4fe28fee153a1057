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

    private let door: WriteDoor
    private let readers: ReaderPool
    private let checkpointer: Checkpointer?

    /// Opens or creates the file and brings its schema up to date.
    ///
    /// Throws `DatabaseError`, `.newerSchema` when a newer program wrote the file.
    package init(path: String, durability: Durability, migrations: [Migration]) throws {
        let writer = try Connection(path: path, mayCreate: true)
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
        try writer.migrate(migrations)
        self.checkpointer = checkpointer
        readers = ReaderPool(path: path, readersMax: Self.readersMax)
        door = WriteDoor(connection: writer) { checkpointer?.schedule() }
    }

    /// Runs a body on a reader, on this thread, seeing one consistent moment.
    package func read<Value>(_ body: (borrowing ReadScope) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    /// Queues a command for the next commit. A body that throws changes nothing and fails alone.
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

    /// Commits what waits and takes nothing more; the file is let go of with this object.
    package func close() {
        door.close()
        checkpointer?.close()
        readers.close()
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
