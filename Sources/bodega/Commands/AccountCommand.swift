import Foundation
import StoreModel
import StoreWire

/// `bodega account add|list|lock|unlock|password|sign-out|approval|interrupt|resolve|key-values`
enum AccountCommand {
    static let command = Command(
        help: """
            bodega account: test accounts of the sandbox, real ones of production

              bodega account add NAME [--password PASSWORD] [--storefront USA] [--environment E]
                      [--needs-approval]
              bodega account list
              bodega account lock NAME [--reason TEXT] [--until TIME]
              bodega account unlock NAME            also after too many wrong passwords
              bodega account password NAME [--password PASSWORD]
              bodega account sign-out NAME          on every device, at once
              bodega account approval NAME on|off   whether somebody else approves its purchases
              bodega account interrupt NAME on|off  whether its purchases are interrupted
              bodega account resolve NAME           the person settled what interrupted them
              bodega account key-values NAME --bundle-id APP
              bodega account storefront NAME CODE   where it buys from now on

            Without --password the command asks for it, or reads its first line from a pipe.
            A lock and a new password sign the account out everywhere. Only somebody who knows the
            password is told that the account is locked, and why; to everybody else it looks like
            one that does not exist. key-values shows what the app's devices share by
            NSUbiquitousKeyValueStore. TIME is UTC by the real clock, as 2026-03-31T12:00:00Z.

            With approval on, purchases wait for bodega ask-to-buy. With interrupt on, they fail
            in the app, as when a person must accept new terms first; resolve makes them, and they
            reach the app by themselves.

            Options:
              --password P     at least 8 characters
              --storefront S   the account's country by its three letters (USA)
              --environment E  sandbox (when not given) or production
              --reason TEXT    what the person is told
              --until TIME     when the lock ends by itself
              --needs-approval somebody else approves what it buys
              --bundle-id APP  whose key values
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega account add buyer@example.com --storefront DEU
              echo "$PASSWORD" | bodega account add buyer@example.com
              bodega account lock buyer@example.com --reason "Call us." --until 2030-03-31
              bodega account sign-out buyer@example.com --world checkout-test
              bodega account add child@example.com --needs-approval
              bodega account resolve buyer@example.com
              bodega account key-values buyer@example.com --bundle-id com.example.rocketcar
            """,
        options: ControlClient.options.union([
            "password", "storefront", "reason", "until", "bundle-id", "environment",
        ]),
        flags: ["json", "needs-approval"]
    ) { arguments in
        switch arguments.positional.first {
        case "add": try add(arguments)
        case "list": try list(arguments)
        case "lock": try lock(arguments)
        case "unlock": try change(arguments, "unlock", "unlocked")
        case "password": try resetPassword(arguments)
        case "sign-out": try change(arguments, "sign-out", "signed out everywhere:")
        case "approval": try setApproval(arguments)
        case "interrupt": try setInterruption(arguments)
        case "resolve": try resolve(arguments)
        case "key-values": try keyValues(arguments)
        case "storefront": try move(arguments)
        default:
            throw arguments.notOne(
                of: "add", "list", "lock", "unlock", "password", "sign-out", "approval",
                "interrupt", "resolve", "key-values", "storefront")
        }
    }

    private static func add(_ arguments: Arguments) throws {
        let name = try arguments.words("add", "name")[1]
        let storefront = try arguments.storefront()
        let client = try ControlClient(arguments)
        let answer = try client.send(
            "POST", "/accounts",
            MakeAccountBody(
                environment: try arguments.environment(), name: name,
                password: try password(arguments), storefront: storefront,
                needsApproval: arguments.has("needs-approval") ? true : nil))
        try show(answer, arguments) {
            "added \($0.name), \($0.environment.rawValue), \($0.storefront)"
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let answer = try ControlClient(arguments).send("GET", "/accounts")
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(AccountsBody.self, from: answer)
        Terminal.print(
            Terminal.table(
                ["ACCOUNT", "ENVIRONMENT", "STOREFRONT", "DEVICES", "PURCHASES", "LOCK"],
                body.accounts.map {
                    [
                        $0.name, $0.environment.rawValue, $0.storefront,
                        "\($0.devicesSignedIn)", purchases(of: $0),
                        $0.lock.map { text(of: $0) } ?? "",
                    ]
                }))
    }

    private static func lock(_ arguments: Arguments) throws {
        let name = try arguments.words("lock", "name")[1]
        let until = try arguments.value("until").map { try TimeWords.moment($0, for: "--until") }
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/lock",
            LockAccountBody(
                environment: try arguments.environment(), name: name,
                reason: arguments.value("reason"), until: until))
        try show(answer, arguments) { "locked \($0.name), \($0.lock.map { text(of: $0) } ?? "")" }
    }

    private static func resetPassword(_ arguments: Arguments) throws {
        let name = try arguments.words("password", "name")[1]
        let client = try ControlClient(arguments)
        let answer = try client.send(
            "POST", "/accounts/password",
            ResetPasswordBody(
                environment: try arguments.environment(), name: name,
                password: try password(arguments)))
        try show(answer, arguments) { "\($0.name) has a new password and is signed out everywhere" }
    }

    private static func move(_ arguments: Arguments) throws {
        let words = try arguments.words("storefront", "name", "code")
        let environment = try arguments.environment()
        let client = try ControlClient(arguments)
        let credit = try client.send(
            "GET",
            "/accounts/credit?account=\(ControlClient.escaped(words[1]))"
                + "&environment=\(environment.rawValue)")
        let balances = try WireJSON.decode(CreditBody.self, from: credit).balances
        let answer = try client.send(
            "POST", "/accounts/storefront",
            SetStorefrontBody(
                environment: environment, name: words[1], storefront: words[2]))
        try show(answer, arguments) { account in
            (["\(account.name) buys in \(account.storefront) now"]
                + note(onCredit: balances, in: account.storefront)).joined(separator: "\n")
        }
    }

    /// That credit of another currency stays behind.
    private static func note(onCredit balances: [BalanceBody], in country: String) -> [String] {
        let currency = Storefront(countryCode: country)?.currency.code
        let left = balances.filter { $0.milliunits > 0 && $0.currency != currency }
            .map { AmountWords.text($0.milliunits, $0.currency) }
        guard !left.isEmpty else { return [] }
        return [
            "\(left.joined(separator: ", ")) of its credit pays nothing there; it is good again in "
                + "a storefront of its currency, and \"bodega credit take\" can take it"
        ]
    }

    private static func change(
        _ arguments: Arguments, _ verb: String, _ done: String
    ) throws {
        let name = try arguments.words(verb, "name")[1]
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/\(verb)",
            NamedAccountBody(environment: try arguments.environment(), name: name))
        try show(answer, arguments) { "\(done) \($0.name)" }
    }

    private static func password(_ arguments: Arguments) throws -> String {
        guard let password = arguments.value("password") ?? Terminal.readPassword("Password: ")
        else {
            throw UsageError("no password was given, neither by --password nor on standard input")
        }
        return password
    }

    static func show(
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
