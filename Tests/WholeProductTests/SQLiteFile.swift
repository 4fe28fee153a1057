import CSQLite
import Foundation

/// Reads a database file as any other program would, without our code.
final class SQLiteFile {
    private var handle: OpaquePointer?

    struct Failure: Error {
        let message: String
    }

    init(_ path: String) throws {
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw Failure(message: "cannot open \(path)")
        }
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func number(_ sql: String) throws -> Int64 {
        try rows(sql).first?.first.flatMap { Int64($0) } ?? 0
    }

    /// Every row's columns as text.
    func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        var status = sqlite3_step(statement)
        while status == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                })
            status = sqlite3_step(statement)
        }
        guard status == SQLITE_DONE else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
        return rows
    }
}
