import Dispatch
import Synchronization

/// One SQLite file with one write door and several readers.
package final class Database: Sendable {
    package enum Durability: Sendable {
        /// Every commit is synced before it is reported.
        case full
        /// Survives the process, not a power failure; for test sessions.
        case processOnly

        /// How many may read at the same time; a session has few devices, and reads within reads are
        /// nowhere.
        var readersMax: Int { self == .full ? Database.readersMax : 2 }

        /// How many readers stay open while nobody reads: each has a tenth of a megabyte for the schema
        /// alone, and there may be a thousand sessions.
        var readersKeptMax: Int { self == .full ? Database.readersMax : 1 }
    }

    package static let readersMax = 4

    private let path: String
    private let door: WriteDoor
    private let readers: ReaderPool
    private let checkpointer: Checkpointer?
    /// Nil for a file that never rests: one of its connections is always open.
    private let pin: FilePin?

    /// Opens or creates the file, with mode 0600, and brings its schema up to date. `meter` counts its
    /// commits. `pageBytes` is the size of a new file's pages; nil for SQLite's own, 4,096.
    ///
    /// Throws `DatabaseError`, `.olderSchema` or `.newerSchema` when the schema cannot be updated.
    package init(
        path: String, durability: Durability, schema: Schema, meter: CommitMeter = CommitMeter(),
        pageBytes: Int? = nil
    ) throws {
        try makePrivate(path)
        let writer = try Self.writer(of: path, durability)
        if let pageBytes { try writer.run(script: "PRAGMA page_size = \(pageBytes)") }
        let mode = try writer.rows("PRAGMA journal_mode = WAL").first?.text(0)
        guard mode == "wal" else {
            throw DatabaseError(
                code: .inputOutput,
                detail: "\(path) cannot have a write-ahead log; is it on a network drive?")
        }
        let checkpointer = durability == .full ? try Checkpointer(path: path) : nil
        if durability == .full { _ = try writer.rows("PRAGMA wal_autocheckpoint = 0") }
        try writer.bring(to: schema)
        self.path = path
        self.checkpointer = checkpointer
        pin = durability == .processOnly ? FilePin(path: path) : nil
        let identity = FileIdentity(path: path)
        readers = ReaderPool(
            path: path, identity: identity, readersMax: durability.readersMax,
            keptMax: durability.readersKeptMax)
        door = WriteDoor(
            connection: writer, meter: meter,
            reopen: { () throws(DatabaseError) in
                let writer = try Self.writer(of: path, durability)
                try writer.check(identity, of: path)
                return writer
            }, afterCommit: { checkpointer?.schedule() })
    }

    private static func writer(
        of path: String, _ durability: Durability
    ) throws(DatabaseError) -> Connection {
        let writer = try Connection(path: path)
        try writer.execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
        try writer.execute("PRAGMA foreign_keys = ON")
        return writer
    }

    /// Closes the connections of a file that survives no power failure, once they have nothing to do;
    /// the next read or write opens them again, which takes a millisecond.
    ///
    /// A store may have a thousand test sessions. False when there was nothing to close.
    @discardableResult
    package func rest() -> Bool {
        guard checkpointer == nil else { return false }
        let hadReaders = readers.rest()
        let hadWriter = door.rest()
        return hadReaders || hadWriter
    }

    /// Frees the writer's statements and pages of such a file, and closes its readers, unless they are
    /// busy; the next use makes them again. False when there was nothing to free.
    @discardableResult
    package func shrink() -> Bool {
        guard checkpointer == nil else { return false }
        let hadReaders = readers.rest()
        let hadWriter = door.shrink()
        return hadReaders || hadWriter
    }

    /// From now on, restores a value in memory when a command that changed it is undone.
    package func keep(_ beside: any BesideCommits) {
        door.keep(beside)
    }

    /// From now on, calls a body on the writer's thread after each commit whose commands announced
    /// something, or one that was undone did; so it must be short.
    package func whenAnnounced(_ body: @escaping @Sendable (Announcement) -> Void) {
        door.tell(body)
    }

    /// Runs a body on a reader, on this thread, with one consistent view.
    package func read<Value>(_ body: (borrowing ReadScope) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    /// Queues a command for the next commit. A body that throws changes nothing and fails alone.
    ///
    /// A body may run twice, when its work had to be undone because of another command: it may only
    /// read and write rows and change what was passed to `keep`. It must not create or drop tables.
    ///
    /// `then` is called on the writer's thread after the commit that includes the command, so it
    /// must be short. Nothing is guaranteed before that.
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

    /// The same, waiting for the commit on this thread; must not be called from a `then`.
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

    /// The failure with which a write would end now; nil when it would succeed.
    ///
    /// It writes only after a write has failed, so that asking often costs nothing on a sound disk.
    package func writeTrouble() async -> DatabaseError? {
        if let full = diskFull(path) { return full }
        guard door.isInTrouble else { return nil }
        let result: Result<Int, any Error> = await withCheckedContinuation { continuation in
            write(
                { try $0.execute("UPDATE schema_version SET number = number") },
                then: { continuation.resume(returning: $0) })
        }
        guard case .failure(let error) = result else { return nil }
        return error as? DatabaseError ?? DatabaseError(code: .other, detail: "\(error)")
    }

    /// The number of writes that have not begun.
    package var waitingWrites: Int { door.waitingCount }

    /// The sizes of the file and of the log beside it, and the room left on their disk, in bytes.
    package var sizes: (file: Int64, log: Int64, free: Int64?) {
        (
            fileSize(path) ?? 0, fileSize(path + "-wal") ?? 0,
            freeBytes(path).map { Int64(clamping: $0) }
        )
    }

    /// Whether another command waits for the running one, which may end early in its favour. Only
    /// for use by the running command.
    package var isWriterWanted: Bool { door.isWanted }

    /// Writes the currently committed state into a new file, while others read and write.
    ///
    /// The copy is complete and synced when this returns; the caller renames it last.
    package func copy(to target: String) throws {
        try copyDatabase(at: path, to: target)
    }

    /// Commits waiting commands and accepts no more; reading continues.
    package func stopWriting() {
        door.close()
    }

    /// Commits waiting commands, ends reads, and closes the file, leaving nothing beside it. False
    /// when another program has it open and something remains.
    ///
    /// Must not be called within a read.
    @discardableResult
    package func close() -> Bool {
        door.close()
        checkpointer?.close()
        readers.close()
        // A log of which another program still reads stays behind, also when this one was resting.
        return door.letGo() && (fileSize(path + "-wal") ?? 0) == 0
    }
}

/// Writes the committed state of a database into a new file, also while another process writes.
///
/// The copy is complete and synced when this returns; the caller renames it last.
package func copyDatabase(at path: String, to target: String) throws {
    try makePrivate(target)
    try Connection(path: path).execute("VACUUM INTO ?1", [.text(target)])
    try syncFile(target)
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
