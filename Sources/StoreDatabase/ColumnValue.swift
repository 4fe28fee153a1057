/// A value that a column holds, on its way in and out.
package protocol ColumnValue: Sendable {
    var column: SQLValue { get }

    /// Throws where a column holds what this program does not know, such as another program's name.
    init(column: SQLValue) throws(DatabaseError)
}

extension SQLValue: ColumnValue {
    package var column: SQLValue { self }
    package init(column: SQLValue) { self = column }

    fileprivate func isNot(_ what: String) -> Never {
        preconditionFailure("a column holds \(self), not \(what)")
    }
}

extension Int64: ColumnValue {
    package var column: SQLValue { .integer(self) }
    package init(column: SQLValue) {
        guard case .integer(let value) = column else { column.isNot("a number") }
        self = value
    }
}

extension Int: ColumnValue {
    package var column: SQLValue { .integer(Int64(self)) }
    package init(column: SQLValue) { self = Int(Int64(column: column)) }
}

extension Bool: ColumnValue {
    package var column: SQLValue { .integer(self ? 1 : 0) }
    package init(column: SQLValue) { self = Int64(column: column) != 0 }
}

extension String: ColumnValue {
    package var column: SQLValue { .text(self) }
    package init(column: SQLValue) {
        guard case .text(let value) = column else { column.isNot("a text") }
        self = value
    }
}

extension [UInt8]: ColumnValue {
    package var column: SQLValue { .blob(self) }
    package init(column: SQLValue) {
        guard case .blob(let value) = column else { column.isNot("bytes") }
        self = value
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    package var column: SQLValue { self?.column ?? .null }
    package init(column: SQLValue) throws(DatabaseError) {
        if column == .null { self = nil } else { self = try Wrapped(column: column) }
    }
}

/// Enumerations and identifiers stand in a column as their raw values.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    package var column: SQLValue { rawValue.column }
    package init(column: SQLValue) throws(DatabaseError) {
        let raw = try RawValue(column: column)
        guard let value = Self(rawValue: raw) else {
            throw DatabaseError(code: .notADatabase, detail: "\"\(raw)\" is no \(Self.self)")
        }
        self = value
    }
}
