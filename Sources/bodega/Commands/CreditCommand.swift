import Foundation
import StoreModel
import StoreWire

/// `bodega credit`
enum CreditCommand {
    static let command = Command(
        group: "credit", "store credit of accounts",
        shared: [.environment] + Option.inWorld,
        details: """
            Nothing is ever erased: each change is an entry of the world's ledger. A request has an
            id: repeated with the same id, it is done once. When the answer to add or take is lost,
            the command says with which --request-id to repeat it.
            """,
        examples: [
            "bodega credit add buyer@example.com 10",
            "bodega credit take buyer@example.com 4.99 --reason \"Paid in twice.\"",
            "bodega credit redeem buyer@example.com 7KQM-0D3T-XW9A-5FGH-2RNZ",
            "bodega credit show buyer@example.com --world checkout-test",
        ],
        commands: [
            Command(
                "show NAME", "the balance in each currency, and every change, newest first",
                run: show),
            Command(
                "add NAME AMOUNT", "top up the customer's credit", [currency, requestID],
                run: add),
            Command(
                "take NAME AMOUNT", "correct a mistake, down to a balance of zero",
                [
                    Option("reason", "TEXT", "the reason", isRequired: true), currency,
                    requestID,
                ], run: take),
            Command(
                "redeem NAME CODE", "redeem a gift code (bodega gift-code)", run: redeem
            ),
        ])

    private static let currency = Option(
        "currency", "C", "three letters; by default the currency of the account's storefront")
    static let requestID = Option(
        "request-id", "UUID", "the id of a request to repeat")

    private static func show(_ arguments: Arguments) throws {
        let name = ServerClient.escaped(arguments["NAME"])
        let environment = arguments.environment
        let client = try ControlClient(arguments)
        var pages: [CreditBody] = []
        var next: Int64? = .max
        while let before = next {
            let page = try WireJSON.decode(
                CreditBody.self,
                from: client.send(
                    "GET",
                    "/accounts/credit?account=\(name)&environment=\(environment.rawValue)"
                        + "&before=\(before)"))
            pages.append(page)
            next = page.next
        }
        guard let newest = pages.first else { return }
        let all = CreditBody(
            environment: newest.environment, account: newest.account, balances: newest.balances,
            entries: pages.flatMap(\.entries), next: nil)
        try arguments.show(try WireJSON.encode(all)) { (body: CreditBody) in
            let balances = body.balances.map { AmountWords.text($0.milliunits, $0.currency) }
            let has = balances.isEmpty ? "nothing" : balances.joined(separator: ", ")
            guard !body.entries.isEmpty else { return "\(body.account) has \(has)" }
            let table = Terminal.table(
                ["ENTRY", "AT", "KIND", "AMOUNT", "LEFT", "WHAT FOR"],
                body.entries.map {
                    [
                        "\($0.number)", TimeWords.text($0.at), $0.kind.rawValue,
                        AmountWords.text($0.amountMilliunits, $0.currency),
                        AmountWords.text($0.balanceMilliunits, $0.currency),
                        $0.reason ?? $0.reference,
                    ]
                })
            return "\(body.account) has \(has)\n\(table)"
        }
    }

    private static func add(_ arguments: Arguments) throws {
        let body = TopUpBody(
            environment: arguments.environment, name: arguments["NAME"],
            requestId: try requestID(arguments),
            amount: try AmountWords.checked(arguments["AMOUNT"]),
            currency: try arguments.currency())
        try change("top-up", body, id: body.requestId, arguments)
    }

    private static func take(_ arguments: Arguments) throws {
        let amount = try AmountWords.checked(arguments["AMOUNT"])
        let body = CorrectCreditBody(
            environment: arguments.environment, name: arguments["NAME"],
            requestId: try requestID(arguments), amount: "-\(amount)",
            currency: try arguments.currency(), reason: try arguments.required("reason"))
        try change("correct", body, id: body.requestId, arguments)
    }

    private static func redeem(_ arguments: Arguments) throws {
        let body = RedeemGiftCodeBody(
            environment: arguments.environment, name: arguments["NAME"], code: arguments["CODE"])
        try send("redeem", body, arguments)
    }

    /// Sends a request that must not be done twice, and says how to repeat it when its outcome is
    /// unknown.
    private static func change(
        _ verb: String, _ body: some Encodable, id: String, _ arguments: Arguments
    ) throws {
        try repeatable(id) { try send(verb, body, arguments) }
    }

    /// Sends a request with an id; when its outcome is unknown, the error says how to repeat it.
    static func repeatable(_ id: String, _ send: () throws -> Void) throws {
        do {
            try send()
        } catch let failure as Failure where failure.mayBeDone {
            throw failure.said {
                "\($0); to repeat it safely, add: --request-id \(id)"
            }
        }
    }

    private static func send(
        _ verb: String, _ body: some Encodable, _ arguments: Arguments
    ) throws {
        try arguments.send("POST", "/accounts/credit/\(verb)", body) { (entry: CreditEntryBody) in
            let amount = AmountWords.text(abs(entry.amountMilliunits), entry.currency)
            let verb = entry.amountMilliunits < 0 ? "took \(amount) from" : "gave \(amount) to"
            let left = AmountWords.text(entry.balanceMilliunits, entry.currency)
            return "\(verb) \(arguments["NAME"]), balance then \(left) (entry \(entry.number))"
        }
    }

    static func requestID(_ arguments: Arguments) throws -> String {
        guard let text = arguments.value("request-id") else { return UUID().uuidString }
        guard let id = UUID(uuidString: text) else {
            throw UsageError("--request-id \(text) is not a UUID")
        }
        return id.uuidString
    }
}
