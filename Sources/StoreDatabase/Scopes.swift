/// A body's way to the rows of one consistent moment; lent, so it cannot leave the body.
package struct ReadScope: ~Copyable {
    let connection: Connection

    package borrowing func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        try connection.rows(sql, values)
    }

    /// The first row, or nil.
    package borrowing func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try connection.rows(sql, values).first
    }
}

/// A command's way to read and change rows; lent, so it cannot leave the body.
package struct WriteScope: ~Copyable {
    let connection: Connection

    /// The same rows, for a query that is also used for reading alone.
    package borrowing func reading<Value>(
        _ body: (borrowing ReadScope) throws -> Value
    ) rethrows -> Value {
        try body(ReadScope(connection: connection))
    }

    package borrowing func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        try connection.rows(sql, values)
    }

    /// The first row, or nil.
    package borrowing func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try connection.rows(sql, values).first
    }

    /// From this commit on, keeps more of the file in memory, for work that goes all over it; or as
    /// much as ever, which gives the memory back. Done already, it does nothing.
    package borrowing func keepManyPages(_ isMany: Bool) throws {
        try connection.keepManyPages(isMany)
    }

    /// Runs a change and gives the number of rows it touched.
    @discardableResult
    package borrowing func execute(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try connection.execute(sql, values)
    }
}
