import CSQLite
import Synchronization

/// SQLite's C interface in a minimal wrapper.
final class RawSQLite: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw Failure("SQLite cannot open \(path)")
        }
        handle = opened
        sqlite3_busy_timeout(handle, 10_000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Creates the tables in a file as durable as the default world's.
    func prepareTables(_ statements: [String]) throws {
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA wal_autocheckpoint = 0")
        for statement in statements { try run(statement) }
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure("SQLite: \(String(cString: sqlite3_errmsg(handle))), doing: \(sql)")
        }
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var made: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &made, nil) == SQLITE_OK, let made else {
            throw Failure("SQLite: \(String(cString: sqlite3_errmsg(handle))), doing: \(sql)")
        }
        return RawStatement(made)
    }

    func number(_ sql: String) throws -> Int64 { try prepare(sql).number() }

    /// Moves the log into the file, and restarts it when it has grown long.
    func checkpoint() {
        var pages: Int32 = 0
        var moved: Int32 = 0
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
        if pages > 16_384 {
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, &pages, &moved)
        }
    }
}

/// A prepared statement with a number, a device and an attempt's id as parameters.
final class RawStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    func run(_ number: Int64, _ device: Int64, _ attemptID: String) throws {
        let count = sqlite3_bind_parameter_count(handle)
        if count >= 1 { sqlite3_bind_int64(handle, 1, number) }
        if count >= 2 { sqlite3_bind_int64(handle, 2, device) }
        if count >= 3 { sqlite3_bind_text(handle, 3, attemptID, -1, csqlite_transient()) }
        let status = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard status == SQLITE_DONE else { throw Failure("SQLite: step gave \(status)") }
    }

    func number() throws -> Int64 {
        guard sqlite3_step(handle) == SQLITE_ROW else { throw Failure("SQLite: no row") }
        return sqlite3_column_int64(handle, 0)
    }
}

/// Set once, from any thread.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() {
        state.withLock { $0 = true }
    }
}
