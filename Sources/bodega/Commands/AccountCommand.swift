import Foundation
import StoreModel
import StoreWire

/// `bodega account`
enum AccountCommand {
    static let command = Command(
        group: "account", "test accounts of the sandbox, real ones of production",
        shared: Option.inWorld,
        details: """
            Without --password the command asks for it, or reads its first line from a pipe. Nobody
            signs in to an account made with --without-password, until password gives it one; bodega
            buy and bodega restore act for it all the same. A lock
            and a new password sign the account out everywhere. Only somebody who knows the password
            learns that the account is locked, and why; to everybody else the account does not seem
            to exist. TIME is UTC by the real clock, as 2026-03-31T12:00:00Z.

            With approval on, purchases wait for bodega ask-to-buy. With interrupt on, they fail in
            the app, as when a customer must first accept new terms; resolve completes them, and
            they then reach the app without another request. With fail-renewals on, the payment of
            every renewal fails: the subscription goes into its grace period or billing retry, and
            the next try after off pays it.

            app-transaction is what receipts of production say about the app itself: when the
            account got it, and with which version. Its first device sets that; set it yourself to
            test "bought when the app was paid". The sandbox has Apple's constants.

            export gives a customer what the store holds about them, as JSON: to a file that only its
            owner can read, or to standard output.

            delete takes away what is known of the person: name, password, settings, devices, key
            values, and the names that apps gave the purchases. The history and the ledger stay,
            under a pseudonym, and verifyReceipt answers 21010 for the account's receipts. Renewals
            end; purchases that wait for somebody are declined. An account in a family, with an
            undecided refund or with a payment on its way is not deleted. Snapshots keep what they
            have.
            """,
        examples: [
            "bodega account add buyer@example.com --storefront DEU",
            "echo \"$PASSWORD\" | bodega account add buyer@example.com",
            "bodega account lock buyer@example.com --reason \"Call us.\" --until 2030-03-31",
            "bodega account list --search @example.com --environment sandbox",
            "bodega account show buyer@example.com",
            "bodega account sign-out buyer@example.com --world checkout-test",
            "bodega account add child@example.com --needs-approval",
            "bodega account resolve buyer@example.com",
            "bodega account fail-renewals buyer@example.com on",
            "bodega account app-transaction customer@example.com --environment production "
                + "--bundle-id com.example.rocketcar --purchased 2020-01-01 --app-version 1.2",
            "bodega account export buyer@example.com buyer.json",
            "bodega account delete buyer@example.com --yes",
            "bodega account key-values buyer@example.com --bundle-id com.example.rocketcar",
        ],
        commands: [
            Command(
                "add NAME", "make an account",
                [
                    password,
                    Option("without-password", "nobody signs in to it by its name"),
                    Option("storefront", "S", "the account's country by its three letters (USA)"),
                    Option("needs-approval", "its purchases need somebody else's approval"),
                    .environment,
                ], run: add)
        ] + listing + [
            Command(
                "lock NAME", "refuse its password and sign it out everywhere",
                [
                    Option("reason", "TEXT", "the reason shown to the customer"),
                    Option("until", "TIME", "when the lock ends automatically"), .environment,
                ], run: lock),
            Command(
                "unlock NAME", "end a lock, including one after too many wrong passwords",
                [.environment]
            ) { try change($0, "unlock", "unlocked") },
            Command(
                "password NAME", "set a new password", [password, .environment],
                run: resetPassword),
            Command("sign-out NAME", "sign it out on every device, at once", [.environment]) {
                try change($0, "sign-out", "signed out everywhere:")
            },
            Command(
                "approval NAME on|off", "whether somebody else approves its purchases",
                [.environment]
            ) { try set($0, needsApproval: $0["on|off"] == "on") },
            Command(
                "interrupt NAME on|off", "whether its purchases are interrupted", [.environment]
            ) { try set($0, interruptsPurchases: $0["on|off"] == "on") },
            Command(
                "fail-renewals NAME on|off", "whether its subscriptions' renewals fail",
                [.environment]
            ) { try set($0, failsRenewals: $0["on|off"] == "on") },
            Command(
                "resolve NAME", "complete its interrupted purchases", [.environment],
                run: resolve),
            Command(
                "delete NAME", "delete the account for good, and keep its history",
                [
                    Option("yes", "delete it without asking"), CreditCommand.requestID,
                    .environment,
                ], run: delete),
            export,
            appTransaction,
            Command(
                "key-values NAME", "what its devices share by NSUbiquitousKeyValueStore",
                [.bundleID, .environment], run: keyValues),
            Command(
                "storefront NAME CODE", "set the storefront of its next purchases", [.environment],
                run: move),
        ])

    private static let password = Option("password", "P", "at least 8 characters")

    private static func add(_ arguments: Arguments) throws {
        let storefront = try arguments.storefront()
        // Checked first: without a store, the password is not needed.
        let client = try ControlClient(arguments)
        if arguments.has("without-password"), arguments.has("password") {
            throw UsageError("--password and --without-password contradict each other")
        }
        let password = arguments.has("without-password") ? nil : try arguments.password()
        let answer = try client.send(
            "POST", "/accounts",
            MakeAccountBody(
                environment: arguments.environment, name: arguments["NAME"],
                password: password, storefront: storefront,
                needsApproval: arguments.has("needs-approval") ? true : nil))
        try arguments.show(answer) { (account: AccountBody) in
            "added \(account.name), \(account.environment.rawValue), \(account.storefront)"
        }
    }

    private static func lock(_ arguments: Arguments) throws {
        let body = LockAccountBody(
            environment: arguments.environment, name: arguments["NAME"],
            reason: arguments.value("reason"), until: try arguments.moment("until"))
        try arguments.send("POST", "/accounts/lock", body) { (account: AccountBody) in
            "locked \(account.name), \(account.lock.map { words(of: $0) } ?? "")"
        }
    }

    private static func resetPassword(_ arguments: Arguments) throws {
        let client = try ControlClient(arguments)
        let answer = try client.send(
            "POST", "/accounts/password",
            ResetPasswordBody(
                environment: arguments.environment, name: arguments["NAME"],
                password: try arguments.password()))
        try arguments.show(answer) { (account: AccountBody) in
            "\(account.name) has a new password and is signed out everywhere"
        }
    }

    private static func move(_ arguments: Arguments) throws {
        let name = arguments["NAME"]
        let environment = arguments.environment
        let credit = try ControlClient(arguments).send(
            "GET",
            "/accounts/credit?account=\(ServerClient.escaped(name))"
                + "&environment=\(environment.rawValue)")
        let balances = try WireJSON.decode(CreditBody.self, from: credit).balances
        let body = SetStorefrontBody(
            environment: environment, name: name, storefront: arguments["CODE"])
        try arguments.send("POST", "/accounts/storefront", body) { (account: AccountBody) in
            (["\(account.name) now buys in \(account.storefront)"]
                + note(onCredit: balances, in: account.storefront)).joined(separator: "\n")
        }
    }

    private static func delete(_ arguments: Arguments) throws {
        let name = arguments["NAME"]
        let body = DeleteAccountBody(
            environment: arguments.environment, name: name,
            requestId: try CreditCommand.requestID(arguments))
        if !arguments.has("yes") {
            switch Terminal.agreement(to: "This deletes \(name) for good. Continue?") {
            case true?: break
            case false?: throw Failure("\(name) was not deleted")
            case nil:
                throw UsageError("\(arguments.path) deletes for good: add --yes to confirm")
            }
        }
        try CreditCommand.repeatable(body.requestId) {
            try arguments.send("POST", "/accounts/delete", body) { (gone: DeletedAccountBody) in
                let credit = gone.balances.filter { $0.milliunits > 0 }
                    .map { AmountWords.text($0.milliunits, $0.currency) }
                let left =
                    credit.isEmpty
                    ? "" : "; nobody can spend its credit, \(credit.joined(separator: ", "))"
                return "deleted \(name); its history is that of \(gone.account) now\(left)"
            }
        }
    }

    /// A note that credit in another currency stays behind.
    private static func note(onCredit balances: [BalanceBody], in country: String) -> [String] {
        let currency = Storefront(countryCode: country)?.currency.code
        let left = balances.filter { $0.milliunits > 0 && $0.currency != currency }
            .map { AmountWords.text($0.milliunits, $0.currency) }
        guard !left.isEmpty else { return [] }
        return [
            "\(left.joined(separator: ", ")) of its credit cannot be spent there; it can be spent "
                + "again in a storefront of its currency, and \"bodega credit take\" can take it"
        ]
    }

    private static func change(
        _ arguments: Arguments, _ verb: String, _ done: String
    ) throws {
        let body = NamedAccountBody(environment: arguments.environment, name: arguments["NAME"])
        try arguments.send("POST", "/accounts/\(verb)", body) { (account: AccountBody) in
            "\(done) \(account.name)"
        }
    }

    static func words(of lock: AccountLockBody) -> String {
        let end = lock.until.map { "until \(CalendarDate($0).rfc3339)" } ?? "until it is unlocked"
        return lock.reason.isEmpty ? end : "\(end): \(lock.reason)"
    }
}
