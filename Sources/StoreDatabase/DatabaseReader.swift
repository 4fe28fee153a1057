import CSQLite

/// A look at a database file that changes nothing, also while its store runs.
///
/// Used by one thread at a time.
package struct DatabaseReader {
    /// Problems of one file that are told; a damaged file has thousands.
    package static let problemsMax = 5

    private let connection: Connection

    /// `isInUse` says that another program may be writing; without it nothing is made beside the
    /// file.
    package init(path: String, isInUse: Bool) throws {
        connection = try Connection(path: path, isInUse ? .readOnly : .immutable)
    }

    package func rows(_ sql: String) throws -> [Row] {
        try connection.rows(sql)
    }

    /// The number of the file's schema; nil for a file that is no store's.
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
            .map { "a row of \($0.text(0)) names one of \($0.text(2)) that is not there" }
        return Array((found + Set(references).sorted()).prefix(Self.problemsMax))
    }
}

/// The version of SQLite that this program runs with, such as `3.40.1`.
package var databaseLibraryVersion: String {
    unsafe String(cString: sqlite3_libversion())
}
