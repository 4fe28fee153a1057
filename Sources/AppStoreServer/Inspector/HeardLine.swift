import StoreLog
import StoreWire

/// A line that the log has of a request, as it came: nearly all leave again without being read.
struct HeardLine: Sendable {
    private let line: Log.Line

    init(_ line: Log.Line) {
        self.line =
            Self.isShort(line.logFields) && Self.isShort(line.eventFields)
            ? line
            : Log.Line(
                level: line.level, event: line.event, logFields: Self.cut(line.logFields),
                eventFields: Self.cut(line.eventFields))
    }

    private static func isShort(_ fields: [Log.Field]) -> Bool {
        fields.allSatisfy { field in
            guard case .text(let text) = field.value else { return true }
            return text.utf8.count <= KeptText.fieldMax
        }
    }

    private static func cut(_ fields: [Log.Field]) -> [Log.Field] {
        fields.map { ($0.name, .text(KeptText.field($0.value))) }
    }

    var event: String { line.event }

    private var fields: [Log.Field] { line.logFields + line.eventFields }

    /// A field's value as it is shown; the last of that name.
    subscript(name: String) -> String? {
        fields.last { $0.name == name }.map { KeptText.field($0.value) }
    }

    /// About its bytes in memory.
    var bytes: Int {
        160 + event.utf8.count + Self.bytes(line.logFields) + Self.bytes(line.eventFields)
    }

    private static func bytes(_ fields: [Log.Field]) -> Int {
        fields.reduce(0) { sum, field in
            let text = if case .text(let text) = field.value { text.utf8.count } else { 0 }
            return sum + 64 + field.name.utf8.count + text
        }
    }

    var body: ActivityLineBody {
        let known = ["request", "world"]
        return ActivityLineBody(
            level: line.level.rawValue, event: event,
            fields: Dictionary(
                fields.filter { !known.contains($0.name) }.map {
                    ($0.name, KeptText.field($0.value))
                },
                uniquingKeysWith: { $1 }))
    }
}
