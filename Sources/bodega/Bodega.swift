import Foundation

/// The one executable: the store, the backend, and the commands that talk to them.
@main
struct Bodega {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            try run(words)
        } catch let error as UsageError {
            let command = words.first.flatMap { commands[$0] == nil ? nil : " \($0)" } ?? ""
            Terminal.fail("\(error.message); try bodega\(command) --help", exitCode: 2)
        } catch {
            Terminal.fail("\(error)", exitCode: 1)
        }
    }

    private static func run(_ words: [String]) throws {
        var rest = words
        let name = rest.isEmpty ? "help" : rest.removeFirst()
        switch name {
        case "help", "--help", "-h": return Terminal.print(try help(on: rest))
        case "--version": return Terminal.print(Help.version)
        default: break
        }
        let command = try command(name)
        let options = rest.prefix { $0 != "--" }
        if options.contains("--help") || options.contains("-h") {
            return Terminal.print(command.help)
        }
        try command.run(
            try Arguments(of: name, rest, options: command.options, flags: command.flags))
    }

    /// Everything in short, or what there is to say of one command.
    private static func help(on words: [String]) throws -> String {
        guard let name = words.first else { return Help.overview }
        guard words.count == 1 else {
            throw UsageError("\"\(words[1])\" is one word too many after bodega help \(name)")
        }
        return name == "help" ? Help.overview : try command(name).help
    }

    private static func command(_ name: String) throws -> Command {
        guard let command = commands[name] else {
            throw UsageError("there is no command \"\(name)\"")
        }
        return command
    }

    static let commands: [String: Command] = [
        "serve": ServeCommand.command,
        "backend": BackendCommand.command,
        "catalog": CatalogCommand.command,
        "product": ProductCommand.command,
        "shop": ShopCommand.command,
        "developer": DeveloperCommand.command,
        "secret": SecretCommand.command,
        "offer-key": OfferKeyCommand.command,
        "offer-code": OfferCodeCommand.command,
        "content": ContentCommand.command,
        "account": AccountCommand.command,
        "family": FamilyCommand.command,
        "ask-to-buy": AskToBuyCommand.command,
        "price-consent": PriceConsentCommand.command,
        "credit": CreditCommand.command,
        "gift-code": GiftCodeCommand.command,
        "device": DeviceCommand.command,
        "payment": PaymentCommand.command,
        "refund": RefundCommand.command,
        "transaction": TransactionCommand.command,
        "subscription": SubscriptionCommand.command,
        "world": WorldCommand.command,
        "clock": ClockCommand.command,
        "fault": FaultCommand.command,
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
    /// Whether the same may work in a moment.
    let mayPass: Bool
    /// Whether what was asked may have been done all the same.
    let mayBeDone: Bool

    init(_ description: String, mayPass: Bool = false, mayBeDone: Bool = false) {
        self.description = description
        self.mayPass = mayPass
        self.mayBeDone = mayBeDone
    }
}
