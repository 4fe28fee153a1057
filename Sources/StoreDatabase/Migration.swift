/// One numbered step of a schema; never edited once released.
package struct Migration: Sendable {
    package let number: Int
    package let statements: [String]

    package init(number: Int, statements: [String]) {
        self.number = number
        self.statements = statements
    }
}

extension Connection {
    /// Brings a schema up to date in one transaction; refuses one that is ahead of the program.
    func migrate(_ migrations: [Migration]) throws(DatabaseError) {
        try execute("BEGIN IMMEDIATE")
        do {
            try apply(migrations)
            try execute("COMMIT")
        } catch {
            if !isOutsideTransaction { try execute("ROLLBACK") }
            throw error
        }
    }

    private func apply(_ migrations: [Migration]) throws(DatabaseError) {
        try execute("CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY)")
        let present =
            try rows("SELECT coalesce(max(number), 0) FROM schema_version")
            .first?.integer(0) ?? 0
        let newest = migrations.last?.number ?? 0
        guard present <= newest else {
            throw DatabaseError(
                code: .newerSchema,
                detail: "the database has schema \(present) and this program knows up to "
                    + "\(newest); start the newer version that wrote it")
        }
        for migration in migrations where migration.number > present {
            for statement in migration.statements { try execute(statement) }
            try execute(
                "INSERT INTO schema_version (number) VALUES (?1)",
                [.integer(Int64(migration.number))])
        }
    }
}
