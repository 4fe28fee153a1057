/// A body's access to the rows of one consistent view; lent, so it cannot leave the body.
package struct ReadScope: ~Copyable {
    let connection: Connection

    package borrowing func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        try connection.rows(sql, values)
    }

    /// The first row, or nil.
    package borrowing func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try connection.rows(sql, values).first
    }

    package borrowing func rows(_ sql: String, _ values: [any ColumnValue]) throws -> [Row] {
        try connection.rows(sql, values.map(\.column))
    }

    package borrowing func row(_ sql: String, _ values: [any ColumnValue]) throws -> Row? {
        try connection.rows(sql, values.map(\.column)).first
    }

    /// The value of the only column in the first row; nil for null, and without a row.
    package borrowing func value<Value: ColumnValue>(
        _ sql: String, _ values: [any ColumnValue] = []
    ) throws -> Value? {
        try connection.value(sql, values)
    }

    /// The value of the only column in each row.
    package borrowing func values<Value: ColumnValue>(
        _ sql: String, _ values: [any ColumnValue] = []
    ) throws -> [Value] {
        try connection.rows(sql, values.map(\.column)).map { try Value(column: $0.values[0]) }
    }
}

/// A command's access to read and change rows; lent, so it cannot leave the body.
package struct WriteScope: ~Copyable {
    /// The same rows, for queries that are also used read-only.
    package let reading: ReadScope

    init(connection: Connection) {
        reading = ReadScope(connection: connection)
    }

    private var connection: Connection { reading.connection }

    package borrowing func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        try connection.rows(sql, values)
    }

    /// The first row, or nil.
    package borrowing func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try connection.rows(sql, values).first
    }

    package borrowing func rows(_ sql: String, _ values: [any ColumnValue]) throws -> [Row] {
        try connection.rows(sql, values.map(\.column))
    }

    package borrowing func row(_ sql: String, _ values: [any ColumnValue]) throws -> Row? {
        try connection.rows(sql, values.map(\.column)).first
    }

    /// The value of the only column in the first row; nil for null, and without a row.
    package borrowing func value<Value: ColumnValue>(
        _ sql: String, _ values: [any ColumnValue] = []
    ) throws -> Value? {
        try connection.value(sql, values)
    }

    /// The value of the only column in each row.
    package borrowing func values<Value: ColumnValue>(
        _ sql: String, _ values: [any ColumnValue] = []
    ) throws -> [Value] {
        try connection.rows(sql, values.map(\.column)).map { try Value(column: $0.values[0]) }
    }

    /// From this commit on, keeps more of the file in memory, for work all over it; or as much as
    /// usual, which releases the memory. Repeating it does nothing.
    package borrowing func keepManyPages(_ isMany: Bool) throws {
        try connection.keepManyPages(isMany)
    }

    /// Has `Database.whenAnnounced` called after this commit, once however often it is announced.
    package borrowing func announce(_ announcement: Announcement) {
        connection.announce(announcement)
    }

    /// Runs a change and gives the number of rows it touched.
    @discardableResult
    package borrowing func execute(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try connection.execute(sql, values)
    }

    @discardableResult
    package borrowing func execute(_ sql: String, _ values: [any ColumnValue]) throws -> Int {
        try connection.execute(sql, values.map(\.column))
    }

    /// Adds a row of these columns; `conflict` is an optional clause such as
    /// `ON CONFLICT (id) DO NOTHING`. Gives the number of rows it touched.
    @discardableResult
    package borrowing func insert(
        into table: String, _ values: KeyValuePairs<String, any ColumnValue>,
        _ conflict: String = ""
    ) throws -> Int {
        // Appended piece by piece: every purchase adds half a dozen rows.
        var sql = "INSERT INTO "
        sql.reserveCapacity(512)
        sql += table
        var separator = " ("
        for (name, _) in values {
            sql += separator
            sql += name
            separator = ", "
        }
        sql += ") VALUES ("
        sql += parameters[values.count]
        sql += ") "
        sql += conflict
        return try connection.execute(sql, values.map(\.value.column))
    }
}

/// `?1, ?2 …` by how many there are.
private let parameters = (0...64).map { count in
    (0..<count).map { "?\($0 + 1)" }.joined(separator: ", ")
}

extension Connection {
    fileprivate func value<Value: ColumnValue>(
        _ sql: String, _ values: [any ColumnValue]
    ) throws(DatabaseError) -> Value? {
        guard let found = try rows(sql, values.map(\.column)).first?.values[0] else { return nil }
        return try Value?(column: found)
    }
}
