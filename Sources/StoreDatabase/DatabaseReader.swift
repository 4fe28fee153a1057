import CSQLite

/// Inspects a database file without changing it, even while its store runs.
///
/// Used by one thread at a time.
package struct DatabaseReader {
    /// The maximum number of problems reported per file; a damaged file has thousands.
    package static let problemsMax = 5

    private let connection: Connection

    /// `isInUse` means that another program may be writing; otherwise nothing is created beside the
    /// file.
    package init(path: String, isInUse: Bool) throws {
        connection = try Connection(path: path, isInUse ? .readOnly : .immutable)
    }

    package func rows(_ sql: String) throws -> [Row] {
        try connection.rows(sql)
    }

    /// The number of the file's schema; nil for a file that does not belong to a store.
    package func schemaNumber() throws -> Int? {
        let table = try connection.rows(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'")
        if table.isEmpty { return nil }
        return try connection.rows("SELECT max(number) FROM schema_version").first?
            .integerOrNil(0).map { Int($0) }
    }

    /// What is broken in the file: pages, indexes, references. Empty when nothing is.
    package func problems() throws -> [String] {
        let found = try connection.rows("PRAGMA integrity_check(\(Self.problemsMax))")
            .map { $0.text(0) }.filter { $0 != "ok" }
        let references = try connection.rows("PRAGMA foreign_key_check")
            .map { "a row of \($0.text(0)) refers to a missing row of \($0.text(2))" }
        return Array((found + Set(references).sorted()).prefix(Self.problemsMax))
    }
}

/// The version of SQLite in use, such as `3.40.1`.
package var databaseLibraryVersion: String {
    unsafe String(cString: sqlite3_libversion())
}
