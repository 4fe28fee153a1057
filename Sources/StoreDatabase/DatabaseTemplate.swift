/// A database with nothing but its schema, kept in memory and written out for each new database,
/// which is faster than creating the tables.
///
/// A `Database` that opens a file written from it checks the schema's number as with any other
/// file.
package struct DatabaseTemplate: Sendable {
    private let bytes: [UInt8]

    /// The size of a test session's pages. Each table and each index has one of its own, with a few rows
    /// at most: with small ones the file is a quarter as large, and takes a fifth less memory.
    package static let pageBytes = 1_024

    /// Creates a new file at `path`, reads it and removes it; an earlier file there is removed,
    /// too.
    package init(at path: String, schema: Schema) throws {
        removeDatabase(at: path)
        defer { removeDatabase(at: path) }
        let database = try Database(
            path: path, durability: .processOnly, schema: schema, pageBytes: Self.pageBytes)
        guard database.close() else {
            throw DatabaseError(code: .unavailable, detail: "another program has \(path) open")
        }
        bytes = try readFile(path)
    }

    /// Writes a new database, not synced; throws where a file already exists. A file that could not
    /// be written completely is removed.
    package func write(to path: String) throws {
        try writeNewFile(path, bytes)
    }
}
