import Foundation

/// The words after a command: positional ones, options with a value, flags.
struct Arguments: Sendable {
    private(set) var positional: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// `--name value`, `--name=value` and `--flag`; everything after `--` is positional.
    init(_ words: [String], options: Set<String>, flags known: Set<String>) throws {
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
            if known.contains(name), parts.count == 1 {
                flags.insert(name)
            } else if options.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw UsageError("--\(name) needs a value")
                }
                values[name] = value
            } else {
                throw UsageError("there is no option \(word) here; --help lists them")
            }
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// An option's value, else that of its environment variable.
    func value(_ name: String, environment variable: String? = nil) -> String? {
        if let value = values[name] { return value }
        guard let variable, let value = ProcessInfo.processInfo.environment[variable],
            !value.isEmpty
        else { return nil }
        return value
    }

    func required(_ name: String, environment variable: String? = nil) throws -> String {
        guard let value = value(name, environment: variable) else {
            throw UsageError("--\(name) is missing")
        }
        return value
    }

    /// A port of 0 to 65,535.
    func port(_ fallback: UInt16) throws -> UInt16 {
        guard let text = value("port") else { return fallback }
        guard let port = UInt16(text) else {
            throw UsageError("--port \(text) is not a port of 0 to 65535")
        }
        return port
    }

    /// Exactly these positional words, by their names in the help.
    func words(_ names: String...) throws -> [String] {
        guard positional.count == names.count else {
            let wanted = names.map { $0.uppercased() }.joined(separator: " ")
            throw UsageError(
                positional.count < names.count
                    ? "\(wanted) expected after the command" : "too many words; expected \(wanted)")
        }
        return positional
    }
}
