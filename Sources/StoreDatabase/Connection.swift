import CSQLite

/// One SQLite connection with its prepared statements; used by one thread at a time.
@safe final class Connection: @unchecked Sendable {
    private let handle: OpaquePointer
    private var statements: [StatementText: Statement] = [:]
    private var keepsManyPages = false
    /// What the commands since the last commit announced.
    private var announcements: Set<Announcement> = []

    /// The KiB of the file kept in memory for ordinary work, SQLite's own default, and for work all
    /// over the file.
    private static let pagesKibibytes = (usual: 2_000, many: 32_768)

    /// How long a statement waits for another connection's lock.
    static let busyMillisecondsMax: Int32 = 10_000

    /// How a connection may use its file.
    enum Access {
        /// Never creates the file, so that a deleted one does not come back.
        case readWrite
        /// Changes no rows, alongside others that have the file open.
        case readOnly
        /// Leaves everything beside the file untouched; only for files that nothing has open.
        case immutable
    }

    /// SQLite counts its memory under one lock for all threads, which readers waited for; nothing
    /// asks for the count.
    private static let countsNoMemory = csqlite_count_no_memory() == SQLITE_OK

    init(path: String, _ access: Access = .readWrite) throws(DatabaseError) {
        _ = Self.countsNoMemory
        var opened: OpaquePointer?
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = access == .immutable ? Self.immutableAddress(of: path) : path
        let status = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe opened else {
            throw DatabaseError(code: .other, detail: "no memory to open \(path)")
        }
        unsafe self.handle = handle
        guard status == SQLITE_OK else {
            throw lastError(status, doing: "open \(path)")
        }
        unsafe sqlite3_busy_timeout(handle, Self.busyMillisecondsMax)
        unsafe sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        // Statements may outlive this call: close_v2 waits for them.
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether no transaction is open; true within one that SQLite has ended by itself.
    var isOutsideTransaction: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

    /// The number of rows inserted, changed or deleted since it was opened, including those undone
    /// since.
    var changedRows: Int64 { unsafe sqlite3_total_changes64(handle) }

    func announce(_ announcement: Announcement) {
        announcements.insert(announcement)
    }

    /// Takes what was announced since the last call.
    func takeAnnouncements() -> Set<Announcement> {
        defer { announcements = [] }
        return announcements
    }

    /// Runs one statement and gives its rows.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> [Row] {
        var rows: [Row] = []
        try step(sql, values) { rows.append($0) }
        return rows
    }

    /// Runs one statement that changes rows and gives their number.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
        try step(sql, values) { _ in }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// Runs statements that give no rows and are not kept, such as those of a schema.
    func run(script: String) throws(DatabaseError) {
        let status = unsafe sqlite3_exec(handle, script, nil, nil, nil)
        guard status == SQLITE_OK else { throw lastError(status, doing: script) }
    }

    /// From now on, a lock held by another connection is an error at once.
    func waitNever() {
        unsafe sqlite3_busy_timeout(handle, 0)
    }

    /// Moves the entire write-ahead log into the database and truncates it; false, without waiting,
    /// when another connection still reads from it. Must be the connection's last operation.
    func emptyLog() -> Bool {
        waitNever()
        return unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            == SQLITE_OK
    }

    private static func immutableAddress(of path: String) -> String {
        let escaped = path.map { character in
            switch character {
            case "%": "%25"
            case "?": "%3f"
            case "#": "%23"
            default: String(character)
            }
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    /// Finds a file that was removed or replaced since its identity was taken.
    ///
    /// It reads once, so that the log is open, too, and checks the name afterwards: if that still names
    /// the same file, it did so all along.
    func check(_ identity: FileIdentity?, of path: String) throws(DatabaseError) {
        _ = try rows("SELECT number FROM schema_version LIMIT 1")
        guard FileIdentity(path: path) == identity else {
            throw DatabaseError(code: .unavailable, detail: "\(path) was removed or replaced")
        }
    }

    /// Frees the pages that it keeps: those of the schema, which it has read once it is open, are as
    /// large as all that a small world needs.
    func forgetPages() {
        unsafe sqlite3_db_release_memory(handle)
    }

    /// Frees the prepared statements, too, which are made again when they are next run. The schema
    /// stays.
    func shrink() {
        statements = [:]
        forgetPages()
    }

    func keepManyPages(_ isMany: Bool) throws(DatabaseError) {
        guard isMany != keepsManyPages else { return }
        let kibibytes = isMany ? Self.pagesKibibytes.many : Self.pagesKibibytes.usual
        // SQLite sets it while preparing the statement; a cached statement would not set it again.
        let status = unsafe sqlite3_exec(
            handle, "PRAGMA cache_size = -\(kibibytes)", nil, nil, nil)
        guard status == SQLITE_OK else { throw lastError(status, doing: "cache_size") }
        if !isMany { forgetPages() }
        keepsManyPages = isMany
    }

    /// Moves as much of the write-ahead log into the database as others allow; gives the number of
    /// pages left in the log.
    func checkpoint() -> Int {
        var pages: Int32 = 0
        unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, nil)
        return Int(pages)
    }

    /// Moves the entire log and lets the next commit restart it; false when another connection
    /// writes or reads in it.
    func restartLog() -> Bool {
        unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
            == SQLITE_OK
    }

    private func step(
        _ sql: String, _ values: [SQLValue], row: (Row) -> Void
    ) throws(DatabaseError) {
        let prepared = try prepared(sql)
        let statement = unsafe prepared.handle
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let status = unsafe bind(value, to: Int32(index + 1), of: statement)
            guard status == SQLITE_OK else { throw lastError(status, doing: sql) }
        }
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: row(unsafe currentRow(of: statement, prepared.columnNames))
            case SQLITE_DONE: return
            case let status: throw lastError(status, doing: sql)
            }
        }
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> Statement {
        let text = StatementText(sql: sql)
        if let known = statements[text] { return known }
        var made: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard status == SQLITE_OK, let handle = unsafe made else {
            throw lastError(status, doing: sql)
        }
        let statement = unsafe Statement(handle)
        statements[text] = statement
        return statement
    }

    private func bind(
        _ value: SQLValue, to index: Int32, of statement: OpaquePointer
    ) -> Int32 {
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            unsafe sqlite3_bind_text(
                statement, index, text, Int32(text.utf8.count), csqlite_transient())
        case .blob(let bytes) where bytes.isEmpty:
            unsafe sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let bytes):
            unsafe sqlite3_bind_blob(
                statement, index, bytes, Int32(bytes.count), csqlite_transient())
        }
    }

    private func currentRow(
        of statement: OpaquePointer, _ names: ColumnNames
    ) -> Row {
        let count = unsafe sqlite3_column_count(statement)
        return Row(
            names: names, values: (0..<count).map { unsafe value(of: statement, at: $0) })
    }

    private func value(of statement: OpaquePointer, at column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            guard let text = unsafe sqlite3_column_text(statement, column) else {
                return .text("")
            }
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return unsafe .text(
                String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = unsafe sqlite3_column_blob(statement, column) else {
                return .blob([])
            }
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return unsafe .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        case SQLITE_FLOAT: preconditionFailure("a fraction in the database; money is whole")
        default: return .null
        }
    }

    private func lastError(_ status: Int32, doing what: String) -> DatabaseError {
        let text = unsafe String(cString: sqlite3_errmsg(handle))
        let code: DatabaseError.Code =
            switch status & 0xFF {
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_FULL: .diskFull
            case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .inputOutput
            case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase
            case SQLITE_BUSY, SQLITE_LOCKED: .unavailable
            default: .other
            }
        return DatabaseError(code: code, detail: "\(text) (\(status)), doing: \(what)")
    }
}

/// A statement's text, hashed by its length alone: a few dozen texts of several hundred bytes are
/// looked up twenty times per purchase, and few have the same length.
private struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(sql.utf8.count)
    }
}

/// A prepared statement, kept until its connection shrinks or closes.
@safe private final class Statement {
    let handle: OpaquePointer
    /// Read at the first row.
    private(set) lazy var columnNames = ColumnNames(
        unsafe (0..<sqlite3_column_count(handle)).map {
            unsafe String(cString: sqlite3_column_name(handle, $0))
        })

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }
}
