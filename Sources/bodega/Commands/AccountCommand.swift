import Foundation
import StoreModel
import StoreWire

/// `bodega account add|list`
enum AccountCommand {
    static let command = Command(
        help: """
            bodega account: test accounts of the sandbox

              bodega account add NAME [--password PASSWORD] [--storefront USA]
              bodega account list

            Without --password the command asks for it, or reads its first line from a pipe.

            Options:
              --password P     at least 8 characters
              --storefront S   the account's country by its three letters (USA)
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega account add buyer@example.com --storefront DEU
              echo "$PASSWORD" | bodega account add buyer@example.com
            """,
        options: ControlClient.options.union(["password", "storefront"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "add": try add(arguments)
        case "list": try list(arguments)
        default: throw UsageError("say add or list; bodega account --help shows how")
        }
    }

    private static func add(_ arguments: Arguments) throws {
        let name = try arguments.words("add", "name")[1]
        let client = try ControlClient(arguments)
        guard let password = arguments.value("password") ?? Terminal.readPassword("Password: ")
        else { throw UsageError("no password was given") }
        let answer = try client.send(
            "POST", "/accounts",
            MakeAccountBody(
                environment: .sandbox, name: name, password: password,
                storefront: arguments.value("storefront")))
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let account = try WireJSON.decode(AccountBody.self, from: answer)
        Terminal.print("added \(account.name), sandbox, \(account.storefront)")
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).send("GET", "/accounts")
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(AccountsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["ACCOUNT", "ENVIRONMENT", "STOREFRONT"],
                body.accounts.map { [$0.name, $0.environment.rawValue, $0.storefront] }))
    }
}
