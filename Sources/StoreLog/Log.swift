/// Writes events as JSON, one per line, level and name first; of secrets, only the length is written.
///
/// A value: `adding` gives a log whose lines carry more fields.
package struct Log: Sendable {
    /// What a field may hold.
    package enum Value: Sendable {
        case text(String)
        case number(Int64)
        /// A token, receipt or signature: printed as `<12 bytes>`.
        case secret(byteCount: Int)

        /// What is shown in place of a secret: `<12 bytes>`.
        package static func mark(ofSecret byteCount: Int) -> String { "<\(byteCount) bytes>" }
    }

    package typealias Field = (name: String, value: Value)

    /// An event as a listener gets it. The log's own fields come before those of the event; joining
    /// them would copy both for every event.
    package struct Line: Sendable {
        package let level: LogLevel
        package let event: String
        package let logFields: [Field]
        package let eventFields: [Field]

        package init(level: LogLevel, event: String, logFields: [Field], eventFields: [Field]) {
            self.level = level
            self.event = event
            self.logFields = logFields
            self.eventFields = eventFields
        }
    }

    package typealias Listener = @Sendable (Line) -> Void

    private var fields: [Field]
    private let write: @Sendable (String) -> Void
    private let dropped: @Sendable () -> Int
    private var listener: Listener?

    /// `write` gets each line without its line break and must be safe on every thread.
    /// `dropped` tells how many lines it has dropped.
    package init(
        dropped: @escaping @Sendable () -> Int = { 0 },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.init(fields: [], dropped, write)
    }

    private init(
        fields: [Field], _ dropped: @escaping @Sendable () -> Int,
        _ write: @escaping @Sendable (String) -> Void
    ) {
        self.fields = fields
        self.dropped = dropped
        self.write = write
    }

    /// How many lines were dropped since the program started.
    package var linesDropped: Int { dropped() }

    /// A log that discards everything.
    package static let silent = Log { _ in }

    package func adding(_ name: String, _ value: Value) -> Log {
        var log = self
        log.fields.append((name, value))
        return log
    }

    /// A log that also tells a listener of its events, on the thread of each, after the line is
    /// written. It replaces any earlier listener.
    package func telling(_ listener: @escaping Listener) -> Log {
        var log = self
        log.listener = listener
        return log
    }

    package func event<Event: LogEvent>(_ event: Event, _ more: Field...) {
        var line = "{\"level\":\""
        line += event.level.rawValue
        line += "\",\"event\":"
        Self.quote(event.rawValue, into: &line)
        for field in fields { Self.add(field, to: &line) }
        for field in more { Self.add(field, to: &line) }
        line += "}"
        write(line)
        listener?(
            Line(level: event.level, event: event.rawValue, logFields: fields, eventFields: more))
    }

    private static func add(_ field: Field, to line: inout String) {
        line += ",\""
        line += field.name
        line += "\":"
        switch field.value {
        case .text(let text): quote(text, into: &line)
        case .number(let number): line += String(number)
        case .secret(let count):
            line += "\""
            line += Value.mark(ofSecret: count)
            line += "\""
        }
    }

    private static func quote(_ text: String, into line: inout String) {
        line += "\""
        // Nearly every text needs no escapes, and every request writes a line.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
            line += text
        } else {
            escape(text, into: &line)
        }
        line += "\""
    }

    private static func escape(_ text: String, into line: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case _ where VisibleText.isHidden(scalar):
                line += VisibleText.escape(scalar, as: .json)
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}
