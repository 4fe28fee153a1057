import Dispatch
import Synchronization

/// Connections for reading, opened when first needed; at most `keptMax` wait for the next read.
final class ReaderPool: Sendable {
    private let path: String
    private let identity: FileIdentity?
    private let readersMax: Int
    private let keptMax: Int
    private struct State {
        var free: [Connection] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let places: DispatchSemaphore

    init(path: String, identity: FileIdentity?, readersMax: Int, keptMax: Int) {
        self.path = path
        self.identity = identity
        self.readersMax = readersMax
        self.keptMax = keptMax
        places = DispatchSemaphore(value: readersMax)
    }

    func read<Value>(_ body: (borrowing ReadScope) throws -> Value) throws -> Value {
        places.wait()
        defer { places.signal() }
        return try readInPlace(body)
    }

    /// Separate, so that a connection that is not kept is closed before its place is released.
    private func readInPlace<Value>(_ body: (borrowing ReadScope) throws -> Value) throws -> Value {
        let connection = try take() ?? open()
        defer {
            state.withLock { state in
                if !state.isClosed, state.free.count < keptMax { state.free.append(connection) }
            }
        }
        try connection.execute("BEGIN")
        defer { _ = try? connection.execute("COMMIT") }
        return try body(ReadScope(connection: connection))
    }

    /// Closes connections that nobody reads with, unless all are in use; further ones are opened on
    /// demand. False when there was none.
    func rest() -> Bool {
        // A place, as a reader has, makes `close()` wait until they are closed.
        guard places.wait(timeout: .now()) == .success else { return false }
        defer { places.signal() }
        return closeFree()
    }

    private func closeFree() -> Bool {
        let free = state.withLock { state in
            defer { state.free = [] }
            return state.free
        }
        return !free.isEmpty
    }

    /// Admits no more readers, waits for current ones and closes the file.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<readersMax { places.wait() }
        state.withLock { $0.free.removeAll() }
        for _ in 0..<readersMax { places.signal() }
    }

    private func take() throws(DatabaseError) -> Connection? {
        try state.withLock { state throws(DatabaseError) in
            guard !state.isClosed else {
                throw DatabaseError(code: .unavailable, detail: "the database is closed")
            }
            return state.free.popLast()
        }
    }

    private func open() throws(DatabaseError) -> Connection {
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA query_only = ON")
        try connection.check(identity, of: path)
        connection.forgetPages()
        return connection
    }
}
