import Foundation
import StoreModel

/// The typed arguments as the command tree understands them: the command, its words and options.
struct Arguments: Sendable {
    let command: Command
    /// The command as typed, such as `bodega clock advance`.
    let path: String
    private var words: [String: String] = [:]
    /// The word that may be repeated, as often as it was typed.
    private(set) var repeated: [String] = []
    private var values: [String: [String]] = [:]
    /// The options that were typed, and not taken from the environment.
    private var typed: Set<String> = []

    /// `--name value`, `--name=value` and `--flag`; everything after `--` is a word.
    init(_ typed: [String], in root: Command) throws {
        var command = root
        var path = root.name
        var rest = typed[...]
        var words: [String] = []
        var given: [String: [String]] = [:]
        while let word = rest.popFirst() {
            if word == "--" {
                while !command.commands.isEmpty, let next = rest.popFirst() {
                    command = try command.subcommand(next, path)
                    path += " \(next)"
                }
                words += rest
                break
            }
            if word.hasPrefix("--") {
                let (name, value) = try Self.option(word, &rest, command.everyOption, path)
                given[name, default: []].append(value)
            } else if command.commands.isEmpty {
                words.append(word)
            } else {
                command = try command.subcommand(word, path)
                path += " \(word)"
            }
        }
        guard command.run != nil else { throw command.notTold(path) }
        self.command = command
        self.path = path
        try take(words)
        try take(given)
    }

    /// The option in a word that begins with two hyphens; a flag gives an empty text.
    private static func option(
        _ word: String, _ rest: inout ArraySlice<String>, _ known: [Option],
        _ path: String
    ) throws -> (String, String) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = known.first(where: { $0.name == name }) else {
            throw UsageError.noOption(name, word, known, path)
        }
        guard option.value != nil else {
            guard parts.count == 1 else {
                throw UsageError("--\(name) does not take a value, but \(word) has one")
            }
            return (name, "")
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw UsageError("--\(name) needs a value after it")
        }
        return (name, value)
    }

    private mutating func take(_ typed: [String]) throws {
        let needed = command.words.filter { !$0.isOptional }
        guard typed.count >= needed.count else {
            let wanted = needed.map(\.name).joined(separator: " and ")
            throw UsageError("\(path) needs \(wanted)")
        }
        if command.words.last?.isRepeated == true {
            repeated = Array(typed.dropFirst(command.words.count - 1))
        }
        guard typed.count <= command.words.count || !repeated.isEmpty else {
            let taken = [path] + typed.prefix(command.words.count)
            throw UsageError.tooMany(typed[command.words.count], taken.joined(separator: " "))
        }
        for (word, text) in zip(command.words, typed) {
            let place = word.name.contains("|") ? "" : "\(word.name) "
            words[word.name] = try Self.chosen(text, word.choices, place)
        }
    }

    private mutating func take(_ given: [String: [String]]) throws {
        for name in given.keys.sorted() where !command.options.contains(where: { $0.name == name })
        {
            throw UsageError.noOption(name, "--\(name)", command.options, path)
        }
        typed = Set(given.keys)
        let environment = ProcessInfo.processInfo.environment
        for option in command.options {
            let variable = option.variable.flatMap { environment[$0] } ?? ""
            guard let found = given[option.name] ?? (variable.isEmpty ? nil : [variable]) else {
                guard !option.isRequired else {
                    throw UsageError("\(path) needs --\(option.name)")
                }
                continue
            }
            if option.isPath, found.contains("") {
                throw UsageError("--\(option.name) is empty; leave it out, or give a name")
            }
            values[option.name] = try found.map {
                try Self.chosen($0, option.choices, "--\(option.name) ")
            }
        }
    }

    /// The choice that a text names, also in capitals and with underscores, as Apple spells them.
    private static func chosen(
        _ text: String, _ choices: [String], _ place: String
    ) throws -> String {
        guard !choices.isEmpty, !choices.contains(text) else { return text }
        let folded = text.lowercased().replacing("_", with: "-")
        guard choices.contains(folded) else {
            let quoted = place.isEmpty ? "\"\(text)\"" : text
            throw UsageError(
                choices.count == 2
                    ? "\(place)\(quoted) is neither \(choices[0]) nor \(choices[1])"
                    : "\(place)\(quoted) is not one of \(choices.joined(separator: ", "))")
        }
        return folded
    }

    /// A word that the command requires, by its name in the help.
    subscript(_ name: String) -> String {
        guard let word = words[name] else {
            preconditionFailure("\(path) does not name the word \(name)")
        }
        return word
    }

    /// An optional word.
    func word(_ name: String) -> String? { words[name] }

    func has(_ flag: String) -> Bool { values[flag] != nil }

    /// An option's value, or else that of its environment variable.
    func value(_ name: String) -> String? { values[name]?.last }

    /// An option's value if it was typed; nil for that of its environment variable.
    func typed(_ name: String) -> String? { typed.contains(name) ? value(name) : nil }

    /// The values of an option that may be repeated, or have several values separated by commas.
    func values(_ name: String) -> [String] {
        (values[name] ?? []).flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The value of an option that the tree requires.
    func required(_ name: String) throws -> String {
        guard let value = value(name) else { throw UsageError("\(path) needs --\(name)") }
        return value
    }
}

extension Command {
    /// The subcommand that a word names.
    func subcommand(_ word: String, _ path: String) throws -> Command {
        if let found = commands.first(where: { $0.name == word }) { return found }
        let names = commands.map(\.name)
        let near = Spelling.nearest(to: word, of: names).map { " (did you mean \($0)?)" } ?? ""
        guard path.contains(" ") else {
            throw UsageError("there is no command \"\(word)\"\(near)")
        }
        throw UsageError("\(path) has no \"\(word)\"\(near): write \(Spelling.either(names))")
    }

    fileprivate func notTold(_ path: String) -> UsageError {
        guard path.contains(" ") else { return UsageError("bodega needs a command") }
        let names = Spelling.either(commands.map(\.name))
        return UsageError("\(path) needs a subcommand: \(names)")
    }
}

extension UsageError {
    fileprivate static func noOption(
        _ name: String, _ word: String, _ known: [Option], _ path: String
    ) -> UsageError {
        let near = Spelling.nearest(to: name, of: known.map(\.name))
        return UsageError(
            "\(path) has no option \(word)" + (near.map { " (did you mean --\($0)?)" } ?? ""))
    }

    static func tooMany(_ word: String, _ before: String) -> UsageError {
        UsageError("\"\(word)\" is one word too many after \(before)")
    }
}
