/// Why bytes are not JSON, and where.
package struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, such as `expected ":" after the key "locale"`.
    package let message: String
    package let place: TextPlace

    package var line: Int { place.line }
    package var column: Int { place.column }

    package var description: String { "\(place): \(message)" }
}

/// A line and a column in a text, both from 1; a column counts characters (Unicode scalars).
package struct TextPlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    /// The place of the byte at an offset.
    package init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(max(0, offset))
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.count { $0 == 0x0A } + 1
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    }

    package var description: String { "line \(line), column \(column)" }
}
