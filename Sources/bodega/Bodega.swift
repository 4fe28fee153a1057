import Foundation

/// The one executable: the store, the backend, and the commands that talk to them.
@main
struct Bodega {
    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        do {
            if words.isEmpty || ["help", "--help", "-h"].contains(words[0]) {
                Terminal.print(Help.overview)
                return
            }
            if words[0] == "--version" { return Terminal.print(Help.version) }
            let name = words.removeFirst()
            guard let command = Self.commands[name] else {
                throw UsageError("there is no command \"\(name)\"; see bodega --help")
            }
            if words.contains("--help") || words.contains("-h") {
                return Terminal.print(command.help)
            }
            try command.run(try Arguments(words, options: command.options, flags: command.flags))
        } catch let error as UsageError {
            Terminal.fail("\(error.message)", exitCode: 2)
        } catch {
            Terminal.fail("\(error)", exitCode: 1)
        }
    }

    static let commands: [String: Command] = [
        "serve": ServeCommand.command,
        "backend": BackendCommand.command,
        "catalog": CatalogCommand.command,
        "product": ProductCommand.command,
        "shop": ShopCommand.command,
        "developer": DeveloperCommand.command,
        "secret": SecretCommand.command,
        "account": AccountCommand.command,
        "world": WorldCommand.command,
        "clock": ClockCommand.command,
        "receipt": ReceiptCommand.command,
        "openapi": OpenAPICommand.command,
        "doctor": DoctorCommand.command,
        "completion": CompletionCommand.command,
    ]
}

/// One command: what it takes, what it does and how it is explained.
struct Command: Sendable {
    let help: String
    /// Options with a value, without their hyphens.
    let options: Set<String>
    /// Options without a value.
    let flags: Set<String>
    let run: @Sendable (Arguments) throws -> Void
}

/// What was typed cannot be understood; ends with exit code 2.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The work failed or was refused; ends with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
