import Foundation
import StoreModel

/// The output of `--help`, made from the tree.
enum Help {
    private static let widthMax = 92

    /// Help on a command or a group; `path` is how it is typed.
    static func text(of command: Command, _ path: String) -> String {
        var parts = ["\(path): \(command.summary)"]
        if command.run != nil { parts.append("  " + wrapped(synopsis(of: command, path), 6, " ")) }
        for word in command.words where !word.choices.isEmpty && !word.name.contains("|") {
            parts.append(wrapped("\(word.name): \(Spelling.either(word.choices))", 0))
        }
        if !command.commands.isEmpty { parts.append(list(command, path)) }
        parts += paragraphs(command.details).map { wrapped($0, 0) }
        if !command.offeredOptions.isEmpty { parts.append(options(of: command)) }
        let examples = examples(of: command, path)
        let isWhole = path == CommandTree.root.name
        if !examples.isEmpty {
            parts.append(
                ([isWhole ? "A first purchase:" : "Examples:"] + examples.map { "  " + broken($0) })
                    .joined(separator: "\n"))
        }
        let group = path.split(separator: " ").dropFirst().dropLast().joined(separator: " ")
        if isWhole { parts.append("bodega help COMMAND, or --help after a command, explains it.") }
        if !group.isEmpty { parts.append("See also: bodega help \(group).") }
        return parts.joined(separator: "\n\n")
    }

    /// How a command is typed, with its own options.
    static func synopsis(of command: Command, _ path: String) -> String {
        let shared: Set = ["world", "data", "url", "json"]
        let options = command.options.filter { $0.isRequired || !shared.contains($0.name) }
            .map { $0.isRequired ? $0.form : "[\($0.form)]" }
        return ([path] + command.words.map(\.form) + options).joined(separator: " ")
    }

    /// A command's examples, or those of the groups above it that use it.
    static func examples(of command: Command, _ path: String) -> [String] {
        guard command.examples.isEmpty else { return command.examples }
        var above = [CommandTree.root]
        for name in path.split(separator: " ").dropFirst().dropLast() {
            above += (above.last?.commands ?? []).filter { $0.name == name }
        }
        return above.flatMap(\.examples).filter { "\($0) ".hasPrefix("\(path) ") }
    }

    /// The meaning of an option, with its environment variable.
    static func meaning(of option: Option) -> String {
        option.meaning + (option.variable.map { " (\($0))" } ?? "")
    }

    static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { $0.split(separator: "\n").joined(separator: " ") }
    }

    /// A long command line, broken before its options.
    static func broken(_ line: String) -> String {
        wrapped(line.replacing(" --", with: "\n--"), 6, in: widthMax, "\n", " \\")
    }

    private static func list(_ group: Command, _ path: String) -> String {
        columns(
            group.commands.map { command in
                let isGroup = !command.commands.isEmpty
                let words = command.words.map(\.form)
                let needed = isGroup ? [] : command.options.filter(\.isRequired).map(\.form)
                let typed = [path, command.name] + words + needed
                return (typed.joined(separator: " "), command.summary)
            }, most: 44)
    }

    private static func options(of command: Command) -> String {
        let callable = command.callable(as: "").map(\.command)
        let rows = command.offeredOptions.map { option in
            let users = callable.filter { $0.options.contains { $0.name == option.name } }
            let isFew = users.count * 2 < callable.count && users.count < 3 && command.run == nil
            let names = isFew ? users.map(\.name).joined(separator: ", ") + ": " : ""
            return (option.form, names + meaning(of: option))
        }
        return "Options:\n" + columns(rows, most: 24)
    }

    /// Two columns; where the first is wider than `most`, the second begins on a line of its own.
    private static func columns(_ rows: [(String, String)], most: Int) -> String {
        let width = rows.map(\.0.count).filter { $0 <= most }.max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        return rows.map { name, text in
            let text = wrapped(text, width + 4)
            return name.count > width
                ? "  \(name)\n\(indent)\(text)"
                : "  " + name.padding(toLength: width, withPad: " ", startingAt: 0) + "  \(text)"
        }.joined(separator: "\n")
    }

    /// Breaks a text into lines that fit; all but the first are indented.
    private static func wrapped(
        _ text: String, _ indent: Int, in width: Int = min(Terminal.width ?? .max, widthMax),
        _ separator: Character = " ", _ end: String = ""
    ) -> String {
        var lines: [String] = []
        for part in text.split(separator: separator) {
            if let line = lines.last, indent + line.count + part.count + 1 + end.count <= width {
                lines[lines.count - 1] = "\(line) \(part)"
            } else {
                lines.append(String(part))
            }
        }
        return lines.joined(separator: "\(end)\n" + String(repeating: " ", count: indent))
    }
}
