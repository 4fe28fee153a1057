import StoreLog
import StoreModel
import StoreWire

/// `bodega ledger`
enum LedgerCommand {
    static let command = Command(
        group: "ledger", "the world's money: its entries, and what each account holds",
        shared: Option.inWorld,
        details: """
            Every entry moves an amount between a customer and another account, so that all accounts
            of a currency sum to zero. A charge goes from the customer to the developer, a refund
            back. Top-ups and corrections come from funding, codes from giftCodes, and what a payment
            provider paid from provider: these three are outside the world, and negative by what they
            gave. Nothing is ever erased.
            """,
        examples: [
            "bodega ledger accounts", "bodega ledger accounts --holder developer --json",
            "bodega ledger entries --limit 20",
            "bodega ledger entries --kind refund --environment production",
            "bodega ledger entries --developer default --account buyer@example.com "
                + "--environment production",
        ],
        commands: [
            Command(
                "accounts", "what each account holds, customers last",
                [
                    Option("holder", "H", "only those of this holder, such as developer")
                ], run: accounts),
            Command(
                "entries", "every entry, the newest first",
                [
                    .ofAccount, .ofEnvironment,
                    Option("developer", "NAME", "only those of this developer account"),
                    Option(
                        "kind", "K", "only those of this kind",
                        choices: LedgerEntryKind.allCases.map(\.rawValue)),
                    .newest,
                ], run: entries),
        ])

    private static func accounts(_ arguments: Arguments) throws {
        let pages = try ControlClient(arguments).pages(
            LedgerAccountsBody.self, "/ledger/accounts",
            query: arguments.query(["holder": arguments.value("holder")]), next: \.next)
        let whole = LedgerAccountsBody(accounts: pages.flatMap(\.accounts), next: nil)
        try arguments.show(try WireJSON.encode(whole)) { (body: LedgerAccountsBody) in
            Terminal.table(
                ["HOLDER", "NAME", "ENVIRONMENT", "HOLDS"],
                body.accounts.map {
                    [
                        $0.holder, $0.name ?? "-", $0.environment?.rawValue ?? "-",
                        AmountWords.text($0.milliunits, $0.currency),
                    ]
                })
        }
    }

    private static func entries(_ arguments: Arguments) throws {
        let query = arguments.query([
            "order": "newest", "account": arguments.value("account"),
            "environment": arguments.value("environment"),
            "developer": arguments.value("developer"), "kind": arguments.value("kind"),
        ])
        let pages = try arguments.pages(
            "/ledger/entries", query: query, pageMax: 200,
            { (page: LedgerEntriesBody) in page.entries }, \.next)
        let whole = LedgerEntriesBody(
            entries: try arguments.rows(of: pages, \.entries), next: nil)
        try arguments.show(try WireJSON.encode(whole)) { (body: LedgerEntriesBody) in
            table(body.entries)
        }
    }

    static func table(_ entries: [LedgerEntryBody]) -> String {
        Terminal.table(
            ["ENTRY", "AT", "ENVIRONMENT", "KIND", "REFERENCE", "POSTINGS", "REASON"],
            entries.map {
                [
                    "\($0.number)", TimeWords.text($0.at), $0.environment.rawValue,
                    $0.kind.rawValue, $0.reference, postings(of: $0), $0.reason ?? "",
                ]
            })
    }

    private static func postings(of entry: LedgerEntryBody) -> String {
        entry.postings.map {
            "\($0.name ?? $0.holder) \(AmountWords.text($0.milliunits, entry.currency))"
        }.joined(separator: ", ")
    }
}
