/// A value in a column, for reading and writing.
///
/// Other modules read rows by value type in the store's busiest requests: inlinable code is
/// specialized there, which makes a product list a tenth faster.
@usableFromInline package protocol ColumnValue: Sendable {
    var column: SQLValue { get }

    /// Throws for a column with a value unknown to this program, such as a newer version's case
    /// name.
    init(column: SQLValue) throws(DatabaseError)
}

extension SQLValue: ColumnValue {
    @inlinable package var column: SQLValue { self }
    @inlinable package init(column: SQLValue) { self = column }

    @usableFromInline func isNot(_ what: String) -> Never {
        preconditionFailure("a column holds \(self), not \(what)")
    }
}

extension Int64: ColumnValue {
    @inlinable package var column: SQLValue { .integer(self) }
    @inlinable package init(column: SQLValue) {
        guard case .integer(let value) = column else { column.isNot("a number") }
        self = value
    }
}

extension Int: ColumnValue {
    @inlinable package var column: SQLValue { .integer(Int64(self)) }
    @inlinable package init(column: SQLValue) { self = Int(Int64(column: column)) }
}

extension Bool: ColumnValue {
    @inlinable package var column: SQLValue { .integer(self ? 1 : 0) }
    @inlinable package init(column: SQLValue) { self = Int64(column: column) != 0 }
}

extension String: ColumnValue {
    @inlinable package var column: SQLValue { .text(self) }
    @inlinable package init(column: SQLValue) {
        guard case .text(let value) = column else { column.isNot("a text") }
        self = value
    }
}

extension [UInt8]: ColumnValue {
    @inlinable package var column: SQLValue { .blob(self) }
    @inlinable package init(column: SQLValue) {
        guard case .blob(let value) = column else { column.isNot("bytes") }
        self = value
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    @inlinable package var column: SQLValue { self?.column ?? .null }
    @inlinable package init(column: SQLValue) throws(DatabaseError) {
        if column == .null { self = nil } else { self = try Wrapped(column: column) }
    }
}

/// Enumerations and identifiers are stored as their raw values.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    @inlinable package var column: SQLValue { rawValue.column }
    @inlinable package init(column: SQLValue) throws(DatabaseError) {
        let raw = try RawValue(column: column)
        guard let value = Self(rawValue: raw) else {
            throw DatabaseError.unknown("\(raw)", "\(Self.self)")
        }
        self = value
    }
}

extension DatabaseError {
    @usableFromInline static func unknown(_ raw: String, _ type: String) -> DatabaseError {
        DatabaseError(code: .notADatabase, detail: "\"\(raw)\" is not a \(type)")
    }
}
