/// Writes events as JSON lines, one a line, name first; secrets are only counted.
///
/// A value: `adding` gives a log whose lines carry more fields.
package struct Log: Sendable {
    /// What a field may hold.
    package enum Value: Sendable {
        case text(String)
        case number(Int64)
        /// A token, receipt or signature: printed as `<12 bytes>`.
        case secret(byteCount: Int)
    }

    package typealias Field = (name: String, value: Value)

    private let fields: [Field]
    private let write: @Sendable (String) -> Void

    /// `write` gets each line without its line break and must be safe on every thread.
    package init(write: @escaping @Sendable (String) -> Void) {
        self.init(fields: [], write: write)
    }

    private init(fields: [Field], write: @escaping @Sendable (String) -> Void) {
        self.fields = fields
        self.write = write
    }

    /// Keeps nothing.
    package static let silent = Log { _ in }

    package func adding(_ name: String, _ value: Value) -> Log {
        Log(fields: fields + [(name, value)], write: write)
    }

    package func event<Event: RawRepresentable>(_ event: Event, _ more: Field...)
    where Event.RawValue == String {
        let members = (fields + more).map { ",\"\($0.name)\":\(Self.json($0.value))" }
        write("{\"event\":\(Self.quoted(event.rawValue))\(members.joined())}")
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): "\(number)"
        case .secret(let count): "\"<\(count) bytes>\""
        }
    }

    private static func quoted(_ text: String) -> String {
        var line = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                line += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line + "\""
    }
}
