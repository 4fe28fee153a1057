/// A value for or from a column.
@usableFromInline package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ value: Int64?) -> SQLValue {
        value.map { .integer($0) } ?? .null
    }

    package static func text(_ value: String?) -> SQLValue {
        value.map { .text($0) } ?? .null
    }
}

/// One row of a result. Its columns are named, and numbered from 0 in the order of the query.
@usableFromInline package struct Row: Sendable {
    @usableFromInline let names: ColumnNames
    @usableFromInline let values: [SQLValue]

    /// The value of a column.
    @inlinable package subscript<Value: ColumnValue>(_ name: StaticString) -> Value {
        get throws(DatabaseError) { try Value(column: values[names.place(of: name)]) }
    }

    /// The number in a column that is never null.
    package func integer(_ column: Int) -> Int64 {
        guard case .integer(let value) = values[column] else {
            preconditionFailure("column \(column) holds \(values[column]), not a number")
        }
        return value
    }

    package func integerOrNil(_ column: Int) -> Int64? {
        values[column] == .null ? nil : integer(column)
    }

    /// The text in a column that is never null.
    package func text(_ column: Int) -> String {
        guard case .text(let value) = values[column] else {
            preconditionFailure("column \(column) holds \(values[column]), not a text")
        }
        return value
    }

    package func textOrNil(_ column: Int) -> String? {
        values[column] == .null ? nil : text(column)
    }

    /// The bytes in a column that is never null.
    package func blob(_ column: Int) -> [UInt8] {
        switch values[column] {
        case .blob(let value): return value
        default: preconditionFailure("column \(column) holds \(values[column]), not bytes")
        }
    }
}
