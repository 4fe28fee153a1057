/// The current tables of a database, and the steps that update older files.
package struct Schema: Sendable {
    /// The schema that the migrations start from; older files are refused.
    package let oldest: Int
    /// SQL that creates a new database, as it is after the last migration.
    package let tables: [String]
    /// From `oldest` on, in order.
    package let migrations: [Migration]

    package init(oldest: Int, tables: [String], migrations: [Migration]) {
        self.oldest = oldest
        self.tables = tables
        self.migrations = migrations
    }

    /// The number of a current database.
    package var number: Int { migrations.last?.number ?? oldest }

    /// Why a file with another schema is refused; nil when it is accepted.
    package func refusal(of other: Int) -> DatabaseError? {
        if other < oldest {
            return DatabaseError(
                code: .olderSchema,
                detail: "the database has schema \(other), which a version in development wrote, "
                    + "and this program reads \(oldest) and later; move the file away and start "
                    + "with a new one")
        }
        if other > number {
            return DatabaseError(
                code: .newerSchema,
                detail: "the database has schema \(other) and this program knows up to \(number); "
                    + "start the newer version that wrote it")
        }
        return nil
    }
}

/// One numbered step of a schema; never edited once released.
package struct Migration: Sendable {
    package let number: Int
    /// One or more statements.
    package let sql: String

    package init(number: Int, sql: String) {
        self.number = number
        self.sql = sql
    }
}

extension Connection {
    /// Creates the tables of a new file or updates an older one, in one transaction.
    func bring(to schema: Schema) throws(DatabaseError) {
        try execute("BEGIN IMMEDIATE")
        do {
            try apply(schema)
            try execute("COMMIT")
        } catch {
            if !isOutsideTransaction { try execute("ROLLBACK") }
            throw error
        }
    }

    private func apply(_ schema: Schema) throws(DatabaseError) {
        try execute("CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY)")
        let newest = try rows("SELECT max(number) FROM schema_version").first?.integerOrNil(0)
        guard let present = newest.map({ Int($0) }) else {
            for part in schema.tables { try run(script: part) }
            return try note(schema.number)
        }
        if let refusal = schema.refusal(of: present) { throw refusal }
        for migration in schema.migrations where migration.number > present {
            try run(script: migration.sql)
            try note(migration.number)
        }
    }

    private func note(_ number: Int) throws(DatabaseError) {
        try execute("INSERT INTO schema_version (number) VALUES (?1)", [.integer(Int64(number))])
    }
}
