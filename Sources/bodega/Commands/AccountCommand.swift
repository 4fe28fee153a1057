import Foundation
import StoreModel
import StoreWire

/// `bodega account add|list|lock|unlock|password|sign-out`
enum AccountCommand {
    static let command = Command(
        help: """
            bodega account: test accounts of the sandbox

              bodega account add NAME [--password PASSWORD] [--storefront USA]
              bodega account list
              bodega account lock NAME [--reason TEXT] [--until TIME]
              bodega account unlock NAME            also after too many wrong passwords
              bodega account password NAME [--password PASSWORD]
              bodega account sign-out NAME          on every device, at once

            Without --password the command asks for it, or reads its first line from a pipe.
            A lock and a new password sign the account out everywhere. Only somebody who knows the
            password is told that the account is locked, and why; to everybody else it looks like
            one that does not exist. TIME is UTC by the real clock, as 2026-03-31T12:00:00Z.

            Options:
              --password P     at least 8 characters
              --storefront S   the account's country by its three letters (USA)
              --reason TEXT    what the person is told
              --until TIME     when the lock ends by itself
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega account add buyer@example.com --storefront DEU
              echo "$PASSWORD" | bodega account add buyer@example.com
              bodega account lock buyer@example.com --reason "Call us." --until 2030-03-31
              bodega account sign-out buyer@example.com --world checkout-test
            """,
        options: ControlClient.options.union(["password", "storefront", "reason", "until"]),
        flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "add": try add(arguments)
        case "list": try list(arguments)
        case "lock": try lock(arguments)
        case "unlock": try change(arguments, "unlock", "unlocked")
        case "password": try resetPassword(arguments)
        case "sign-out": try change(arguments, "sign-out", "signed out everywhere:")
        default:
            throw UsageError(
                "say add, list, lock, unlock, password or sign-out; bodega account --help shows how"
            )
        }
    }

    private static func add(_ arguments: Arguments) throws {
        let name = try arguments.words("add", "name")[1]
        let client = try ControlClient(arguments)
        let answer = try client.send(
            "POST", "/accounts",
            MakeAccountBody(
                environment: .sandbox, name: name, password: try password(arguments),
                storefront: arguments.value("storefront")))
        try show(answer, arguments) { "added \($0.name), sandbox, \($0.storefront)" }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).send("GET", "/accounts")
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(AccountsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["ACCOUNT", "ENVIRONMENT", "STOREFRONT", "DEVICES", "LOCK"],
                body.accounts.map {
                    [
                        $0.name, $0.environment.rawValue, $0.storefront,
                        "\($0.devicesSignedIn)", $0.lock.map { text(of: $0) } ?? "",
                    ]
                }))
    }

    private static func lock(_ arguments: Arguments) throws {
        let name = try arguments.words("lock", "name")[1]
        let until = try arguments.value("until").map { text in
            guard let time = Timestamp(rfc3339: text) else {
                throw UsageError("\(text) is no time; write 2026-03-31 or 2026-03-31T12:00:00Z")
            }
            return time
        }
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/lock",
            LockAccountBody(name: name, reason: arguments.value("reason"), until: until))
        try show(answer, arguments) { "locked \($0.name), \($0.lock.map { text(of: $0) } ?? "")" }
    }

    private static func resetPassword(_ arguments: Arguments) throws {
        let name = try arguments.words("password", "name")[1]
        let client = try ControlClient(arguments)
        let answer = try client.send(
            "POST", "/accounts/password",
            ResetPasswordBody(name: name, password: try password(arguments)))
        try show(answer, arguments) { "\($0.name) has a new password and is signed out everywhere" }
    }

    private static func change(
        _ arguments: Arguments, _ verb: String, _ done: String
    ) throws {
        let name = try arguments.words(verb, "name")[1]
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/\(verb)", NamedAccountBody(name: name))
        try show(answer, arguments) { "\(done) \($0.name)" }
    }

    private static func password(_ arguments: Arguments) throws -> String {
        guard let password = arguments.value("password") ?? Terminal.readPassword("Password: ")
        else { throw UsageError("no password was given") }
        return password
    }

    private static func show(
        _ answer: [UInt8], _ arguments: Arguments, _ sentence: (AccountBody) -> String
    ) throws {
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        Terminal.print(sentence(try WireJSON.decode(AccountBody.self, from: answer)))
    }

    private static func text(of lock: AccountLockBody) -> String {
        let end = lock.until.map { "until \(CalendarDate($0).rfc3339)" } ?? "until it is unlocked"
        return lock.reason.isEmpty ? end : "\(end): \(lock.reason)"
    }
}
