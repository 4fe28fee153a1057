import Synchronization
import Testing

@testable import StoreLog

/// Characters that a terminal obeys, hides, or lets reorder others.
struct VisibleTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let character: String
        let text: String
        let json: String

        var testDescription: String { name }
    }

    static let hidden = [
        Row(name: "escape", character: "\u{1B}", text: #"\u{1B}"#, json: #"\u001b"#),
        Row(name: "delete", character: "\u{7F}", text: #"\u{7F}"#, json: #"\u007f"#),
        Row(name: "C1 control", character: "\u{9B}", text: #"\u{9B}"#, json: #"\u009b"#),
        Row(name: "soft hyphen", character: "\u{AD}", text: #"\u{AD}"#, json: #"\u00ad"#),
        Row(name: "override", character: "\u{202E}", text: #"\u{202E}"#, json: #"\u202e"#),
        Row(name: "isolate", character: "\u{2066}", text: #"\u{2066}"#, json: #"\u2066"#),
        Row(name: "zero width", character: "\u{200B}", text: #"\u{200B}"#, json: #"\u200b"#),
        Row(name: "joiner", character: "\u{200D}", text: #"\u{200D}"#, json: #"\u200d"#),
        Row(name: "line separator", character: "\u{2028}", text: #"\u{2028}"#, json: #"\u2028"#),
        Row(name: "paragraph", character: "\u{2029}", text: #"\u{2029}"#, json: #"\u2029"#),
        Row(name: "byte order", character: "\u{FEFF}", text: #"\u{FEFF}"#, json: #"\ufeff"#),
        Row(name: "variation", character: "\u{FE0F}", text: #"\u{FE0F}"#, json: #"\ufe0f"#),
        Row(name: "Hangul filler", character: "\u{3164}", text: #"\u{3164}"#, json: #"\u3164"#),
        Row(name: "tag", character: "\u{E0041}", text: #"\u{E0041}"#, json: #"\udb40\udc41"#),
    ]

    @Test(arguments: hidden)
    func `a hidden character is escaped for people and for programs`(row: Row) {
        #expect(VisibleText.of("a\(row.character)b") == "a\(row.text)b")
        #expect(VisibleText.of("a\(row.character)b", as: .json) == "a\(row.json)b")
    }

    @Test(arguments: hidden)
    func `a hidden character is escaped in the log`(row: Row) {
        let lines = Mutex<[String]>([])
        let log = Log { line in lines.withLock { $0.append(line) } }
        log.event(Noted.seen, ("name", .text("é\"\(row.character)")))
        #expect(
            lines.withLock { $0 } == [
                #"{"level":"notice","event":"seen","name":"é\"\#(row.json)"}"#
            ])
    }

    private enum Noted: String, LogEvent {
        case seen

        var level: LogLevel { .notice }
    }

    @Test(arguments: ["", "plain", "é 🚀 日本 עברית", "a \u{A0}b", "~\\{}\""])
    func `visible text stays as it is`(text: String) {
        #expect(VisibleText.of(text) == text)
        #expect(VisibleText.of(text, as: .json) == text)
    }

    @Test func `line feeds and tabs stay unless the text must be one line`() {
        #expect(VisibleText.of("a\n\tb\r") == "a\n\tb\\u{D}")
        #expect(VisibleText.of("a\n\tb", isOneLine: true) == "a\\u{A}\\u{9}b")
    }
}
