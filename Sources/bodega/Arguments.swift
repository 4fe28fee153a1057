import Foundation

/// The words after a command: positional ones, options with a value, flags.
struct Arguments: Sendable {
    /// The command that they follow, for what is said of them.
    let command: String
    private(set) var positional: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// `--name value`, `--name=value` and `--flag`; everything after `--` is positional.
    init(
        of command: String, _ words: [String], options: Set<String>, flags known: Set<String>
    ) throws {
        self.command = command
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                break
            }
            guard word.hasPrefix("--") else {
                positional.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            if known.contains(name) {
                guard parts.count == 1 else {
                    throw UsageError("--\(name) takes no value, but \(word) has one")
                }
                flags.insert(name)
            } else if options.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError("--\(name) needs a value after it")
                }
                values[name, default: []].append(value)
            } else {
                throw UsageError("bodega \(command) has no option \(word)")
            }
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// An option's value, else that of its environment variable.
    func value(_ name: String, environment variable: String? = nil) -> String? {
        if let value = values[name]?.last { return value }
        guard let variable, let value = ProcessInfo.processInfo.environment[variable],
            !value.isEmpty
        else { return nil }
        return value
    }

    /// An option's values, else those of its environment variable, between commas.
    func values(_ name: String, environment variable: String) -> [String] {
        if let values = values[name] { return values }
        let text = ProcessInfo.processInfo.environment[variable] ?? ""
        return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    func required(_ name: String, environment variable: String? = nil) throws -> String {
        guard let value = value(name, environment: variable) else {
            throw UsageError("bodega \(typedVerb) needs --\(name)")
        }
        return value
    }

    /// A port of 0 to 65,535.
    func port(_ fallback: UInt16) throws -> UInt16 {
        guard let text = value("port") else { return fallback }
        guard let port = UInt16(text) else {
            throw UsageError("--port \(text) is no port: write a number from 0 to 65535")
        }
        return port
    }

    /// What the command is told to do and exactly these words after it, by their names in the help.
    func words(_ names: String...) throws -> [String] {
        guard positional.count >= names.count else {
            let wanted = names.dropFirst().map { $0.uppercased() }.joined(separator: " and ")
            throw UsageError("bodega \(typedVerb) needs \(wanted)")
        }
        try refuseMore(than: names.count)
        return positional
    }

    /// Refuses words that nobody asked for.
    func refuseMore(than count: Int) throws {
        guard positional.count > count else { return }
        throw UsageError(
            "\"\(positional[count])\" is one word too many after bodega "
                + ([command] + positional.prefix(count)).joined(separator: " "))
    }

    /// What stands where the command expects to be told what to do.
    func notOne(of known: String...) -> UsageError {
        let last = known.last.map { known.count > 1 ? " or \($0)" : $0 } ?? ""
        let all = known.dropLast().joined(separator: ", ") + last
        guard let first = positional.first else {
            return UsageError("bodega \(command) needs to be told what to do: \(all)")
        }
        return UsageError("bodega \(command) knows no \"\(first)\": say \(all)")
    }

    /// The command and what it was told to do, as they were typed.
    private var typedVerb: String {
        ([command] + positional.prefix(1)).joined(separator: " ")
    }
}
