import StoreModel
import StoreWire

// What accounts there are, and how much there is of one.
extension AccountCommand {
    static let listing = [
        Command(
            "list", "accounts with their devices, purchases and lock",
            [
                Option("search", "TEXT", "only those with this part in their names"),
                Option(
                    "environment", "E", "only those of sandbox or production",
                    choices: ["sandbox", "production"]),
                .newest,
            ], run: list),
        Command(
            "show NAME", "an account with its credit and family, and how much else it has",
            [.environment]
        ) {
            let query = "account=\(ServerClient.escaped($0["NAME"]))"
            let path = "/accounts/details?\(query)&environment=\($0.environment.rawValue)"
            try $0.send("GET", path, nil, details)
        },
    ]

    private static func list(_ arguments: Arguments) throws {
        let query = arguments.query([
            "search": arguments.value("search"), "environment": arguments.value("environment"),
            "order": arguments.value("limit").map { _ in "newest" },
        ])
        let pages = try arguments.pages(
            "/accounts", query: query, pageMax: 200, { (page: AccountsBody) in page.accounts },
            \.next)
        let accounts = try arguments.rows(of: pages, \.accounts)
            .sorted { ($0.environment.rawValue, $0.name) < ($1.environment.rawValue, $1.name) }
        let whole = AccountsBody(accounts: accounts, next: nil)
        try arguments.show(try WireJSON.encode(whole)) { (body: AccountsBody) in
            Terminal.table(
                ["ACCOUNT", "ENVIRONMENT", "STOREFRONT", "DEVICES", "PURCHASES", "LOCK"],
                body.accounts.map {
                    [
                        $0.name, $0.environment.rawValue, $0.storefront,
                        "\($0.devicesSignedIn)", purchases(of: $0), state(of: $0),
                    ]
                })
        }
    }

    /// Its lock, or when it was deleted.
    private static func state(of account: AccountBody) -> String {
        account.lock.map { words(of: $0) }
            ?? account.deletedAt.map { "deleted \(TimeWords.text($0))" } ?? ""
    }

    private static func details(_ body: AccountDetailsBody) -> String {
        let account = body.account
        let facts = OperatorPage.lines([
            ("account", account.name), ("environment", account.environment.rawValue),
            ("storefront", account.storefront), ("made", TimeWords.text(body.madeAt)),
            ("state", state(of: account)), ("purchases", purchases(of: account)),
            (
                "credit",
                body.balances.map { AmountWords.text($0.milliunits, $0.currency) }
                    .joined(separator: ", ")
            ),
            (
                "signed in",
                "on \(account.devicesSignedIn) of \(CountWords.text(body.devices)) devices"
            ),
            ("transactions", CountWords.text(body.transactions)),
            ("waiting", CountWords.text(body.waitingPurchases)),
            ("subscriptions", CountWords.text(body.subscriptions)),
        ])
        guard let family = body.family else { return facts }
        let members = Terminal.table(
            ["MEMBER", "ROLE", "SHARES", "JOINED"],
            family.members.map {
                [
                    $0.name, $0.isOrganiser ? "organiser" : "member",
                    $0.sharesPurchases ? "yes" : "no", TimeWords.text($0.joinedAt),
                ]
            })
        return "\(facts)\n\nIn family \(family.number):\n\(members)"
    }
}
