import CBuild
import Foundation
import StoreService
import StoreWire

/// The one executable: the store, the backend, and the commands that talk to them.
@main
struct Bodega {
    static func main() {
        let typed = Array(CommandLine.arguments.dropFirst())
        let isJSON = typed.prefix { $0 != "--" }.contains("--json")
        do {
            try run(typed)
        } catch let error as UsageError {
            let path = CommandTree.root.path(called: typed)
            let body = ErrorBody(
                code: error.code, message: "\(error.message); try \(path) --help")
            Terminal.fail(body, asJSON: isJSON, exitCode: 2)
        } catch {
            let body = ErrorBody(code: (error as? Failure)?.code ?? "failed", message: "\(error)")
            Terminal.fail(body, asJSON: isJSON, exitCode: (error as? Failure)?.exitCode ?? 1)
        }
    }

    private static func run(_ typed: [String]) throws {
        let root = CommandTree.root
        if typed.isEmpty || typed == ["-h"] { return try explain([]) }
        if typed == ["--version"] { return Terminal.print(version) }
        if typed[0] == "help" { return try explain(typed.filter { $0 != "help" }) }
        let options = typed.prefix { $0 != "--" }
        guard !options.contains("--help"), !options.contains("-h") else {
            let words = typed.drop { $0 == "--help" || $0 == "-h" }.prefix { !$0.hasPrefix("-") }
            _ = try words.first.map { try root.subcommand($0, root.name) }
            let called = root.path(called: Array(words)).split(separator: " ").dropFirst()
            return try explain(called.map(String.init))
        }
        let arguments = try Arguments(typed, in: root)
        try arguments.command.run?(arguments)
    }

    /// The commit that this program was packaged from; empty for other builds.
    static var commit: String { String(cString: bodega_commit()) }

    /// The version with the commit of a package; a build that nobody packaged says so.
    private static var version: String {
        let source = commit.isEmpty ? "built from a working copy" : "commit \(commit)"
        return "bodega \(ProductVersion.text) (\(source))"
    }

    /// Prints the help on the command or group that the words name.
    private static func explain(_ words: [String]) throws {
        var command = CommandTree.root
        var path = command.name
        for word in words {
            guard !command.commands.isEmpty else {
                throw UsageError.tooMany(
                    word, path.replacing("bodega", with: "bodega help", maxReplacements: 1))
            }
            command = try command.subcommand(word, path)
            path += " \(word)"
        }
        Terminal.print(Help.text(of: command, path))
    }
}

extension Command {
    /// The command that the first words name, as typed; as far as they are understood.
    fileprivate func path(called words: [String]) -> String {
        guard let next = commands.first(where: { $0.name == words.first }) else { return name }
        return "\(name) \(next.path(called: Array(words.dropFirst())))"
    }
}

/// The command line cannot be understood; ends with exit code 2.
struct UsageError: Error {
    let message: String
    /// The error's name for programs; the server's own when it refused a value.
    let code: String

    init(_ message: String, code: String = "usage") {
        self.message = message
        self.code = code
    }
}

/// The work failed or was refused; ends with exit code 1 unless it has its own.
struct Failure: Error, CustomStringConvertible {
    private(set) var description: String
    /// The failure's name for programs; the server's own when it refused.
    let code: String
    /// Whether the same command may succeed in a moment.
    let mayPass: Bool
    /// Whether the request may have been carried out anyway.
    let mayBeDone: Bool
    let exitCode: Int32

    init(
        _ description: String, code: String = "failed", mayPass: Bool = false,
        mayBeDone: Bool = false, exitCode: Int32 = 1
    ) {
        self.description = description
        self.code = code
        self.mayPass = mayPass
        self.mayBeDone = mayBeDone
        self.exitCode = exitCode
    }

    /// The same failure with another message.
    func said(_ words: (String) -> String) -> Failure {
        var failure = self
        failure.description = words(description)
        return failure
    }
}
