/// A database with nothing but its schema, kept in memory and written out for each new one, which is
/// faster than making the tables.
///
/// A `Database` that opens a file written from it looks at the schema's number as with any other
/// file.
package struct DatabaseTemplate: Sendable {
    private let bytes: [UInt8]

    /// Makes a new file at `path`, reads it and removes it; what lies there from before is removed,
    /// too.
    package init(at path: String, schema: Schema) throws {
        removeDatabase(at: path)
        defer { removeDatabase(at: path) }
        let database = try Database(path: path, durability: .processOnly, schema: schema)
        guard database.close() else {
            throw DatabaseError(code: .unavailable, detail: "somebody else has \(path) open")
        }
        bytes = try readFile(path)
    }

    /// Writes a new database, not synced; throws where a file is already. One that could not be
    /// written whole is gone.
    package func write(to path: String) throws {
        try writeNewFile(path, bytes)
    }
}
