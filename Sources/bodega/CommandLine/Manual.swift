import StoreService

/// The whole command line on one page: roff for `man`, Markdown for `docs/command-line.md`.
enum Manual {
    /// Groups and commands with a section of their own, in the order of the help.
    private static let sections = CommandTree.root.commands
    /// Every variable that sets an option, or that the program itself reads.
    private static var variables: [(name: String, meaning: String)] {
        var found: [(name: String, meaning: String)] = CommandTree.variables
        for (path, command) in CommandTree.root.callable(as: CommandTree.root.name) {
            for option in command.options {
                guard let variable = option.variable,
                    !found.contains(where: { $0.name == variable })
                else { continue }
                let place = path.split(separator: " ").prefix(2).joined(separator: " ")
                found.append((variable, "--\(option.name) of \(place): \(option.meaning)"))
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    // MARK: - Markdown

    static var markdown: String {
        let root = CommandTree.root
        var parts = [
            "# The command line",
            "Made from the tree of commands by `bodega man --markdown`; do not edit it by hand.",
        ]
        parts += Help.paragraphs(root.details)
        parts.append(
            table(
                "command",
                sections.map { ("[`bodega \($0.name)`](#bodega-\($0.name))", $0.summary) }))
        for section in sections { parts += markdown(of: section) }
        parts += [
            "## Environment", table("variable", variables.map { ("`\($0.name)`", $0.meaning) }),
        ]
        return parts.joined(separator: "\n\n")
    }

    private static func markdown(of section: Command) -> [String] {
        let path = "bodega \(section.name)"
        var parts = ["## \(path)", "\(sentence(section.summary))"]
        parts.append(
            table(
                "command",
                section.callable(as: path).map {
                    ("`\(Help.synopsis(of: $0.command, $0.path))`", $0.command.summary)
                }))
        for (_, command) in section.all(as: path) {
            parts += Help.paragraphs(command.details).map { $0.replacing("<", with: "\\<") }
        }
        if !section.everyOption.isEmpty {
            parts.append(
                table(
                    "option",
                    section.everyOption.map { ("`\($0.form)`", Help.meaning(of: $0)) }))
        }
        let examples = section.all(as: path).flatMap(\.command.examples)
        if !examples.isEmpty {
            parts.append(
                examples.map { "    " + Help.broken($0).replacing("\n", with: "\n    ") }
                    .joined(separator: "\n"))
        }
        return parts
    }

    private static func table(_ header: String, _ rows: [(String, String)]) -> String {
        (["| \(header) | what it does |", "| --- | --- |"]
            + rows.map {
                "| \($0.0.replacing("|", with: "\\|")) | \($0.1.replacing("|", with: "\\|")) |"
            }).joined(separator: "\n")
    }

    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }

    // MARK: - roff

    static var roff: String {
        let root = CommandTree.root
        var lines = [
            ".TH BODEGA 1 \"\" \"\(plain("bodega \(ProductVersion.text)"))\"", ".nh", ".SH NAME",
            "bodega \\- \(plain(root.summary))", ".SH SYNOPSIS", ".B bodega",
            plain("COMMAND [WORD ...] [--OPTION VALUE ...]"), ".SH DESCRIPTION",
        ]
        lines += roff(Help.paragraphs(root.details)) + [".SH COMMANDS"]
        for section in sections { lines += roff(of: section) }
        lines.append(".SH ENVIRONMENT")
        lines += variables.flatMap { [".TP", ".B \(plain($0.name))", plain($0.meaning)] }
        return lines.joined(separator: "\n")
    }

    private static func roff(of section: Command) -> [String] {
        let path = "bodega \(section.name)"
        var lines = [".SS \"\(plain(path))\"", plain(sentence(section.summary))]
        for (path, command) in section.callable(as: path) {
            lines += [
                ".TP", ".B \(plain(Help.synopsis(of: command, path)))", plain(command.summary),
            ]
        }
        for (_, command) in section.all(as: path) {
            lines += roff(Help.paragraphs(command.details))
        }
        for option in section.everyOption {
            lines += [".TP", ".B \(plain(option.form))", plain(Help.meaning(of: option))]
        }
        let examples = section.all(as: path).flatMap(\.command.examples)
        guard !examples.isEmpty else { return lines }
        return lines + [".PP", ".EX"]
            + examples.flatMap { Help.broken($0).split(separator: "\n").map { plain(String($0)) } }
            + [".EE"]
    }

    private static func roff(_ paragraphs: [String]) -> [String] {
        paragraphs.flatMap { [".PP", plain($0)] }
    }

    /// A text that roff prints literally.
    private static func plain(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq").replacing("…", with: "...")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
