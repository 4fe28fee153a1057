import Foundation
import StoreModel
import StoreWire

/// `bodega credit show|add|take|redeem`
enum CreditCommand {
    static let command = Command(
        help: """
            bodega credit: what accounts have to spend in the store

              bodega credit show NAME
              bodega credit add NAME AMOUNT
              bodega credit take NAME AMOUNT --reason TEXT
              bodega credit redeem NAME CODE

            show prints what there is in each currency, and every change, newest first. add tops
            up what the customer paid in, in the currency of the account's storefront. take sets
            right what was wrong, down to nothing. redeem gives what a gift code is worth (bodega
            gift-code). Nothing is ever erased: each change is an entry of the world's ledger.

            A request has an id: asked again with the same, it is done once. When the answer to
            add or take was lost, the command says with which --request-id to ask again.

            Options:
              --reason TEXT      why it is taken
              --currency C       three letters; a storefront's own when not given
              --request-id UUID  of a request that is asked again
              --environment E    sandbox (when not given) or production
              --world W          a test session instead of the default world
              --data DIR         the store's data directory (BODEGA_DATA)
              --url URL          the store's address (BODEGA_URL)
              --json             print the answer as JSON

            Examples:
              bodega credit add buyer@example.com 10
              bodega credit take buyer@example.com 4.99 --reason "Paid in twice."
              bodega credit redeem buyer@example.com 7KQM-0D3T-XW9A-5FGH-2RNZ
              bodega credit show buyer@example.com --world checkout-test
            """,
        options: ControlClient.options.union([
            "reason", "currency", "request-id", "environment",
        ]),
        flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "show": try show(arguments)
        case "add": try add(arguments)
        case "take": try take(arguments)
        case "redeem": try redeem(arguments)
        default: throw arguments.notOne(of: "show", "add", "take", "redeem")
        }
    }

    private static func show(_ arguments: Arguments) throws {
        let name = ControlClient.escaped(try arguments.words("show", "name")[1])
        let environment = try arguments.environment()
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
        let entries = pages.flatMap(\.entries)
        if arguments.has("json") {
            let all = CreditBody(
                environment: newest.environment, account: newest.account,
                balances: newest.balances, entries: entries, next: nil)
            return Terminal.print(String(decoding: try WireJSON.encode(all), as: UTF8.self))
        }
        let balances = newest.balances.map { AmountWords.text($0.milliunits, $0.currency) }
        Terminal.print(
            "\(newest.account) has \(balances.isEmpty ? "nothing" : balances.joined(separator: ", "))"
        )
        guard !entries.isEmpty else { return }
        Terminal.print(
            Terminal.table(
                ["ENTRY", "AT", "KIND", "AMOUNT", "LEFT", "WHAT FOR"],
                entries.map {
                    [
                        "\($0.number)", TimeWords.text($0.at), $0.kind.rawValue,
                        AmountWords.text($0.amountMilliunits, $0.currency),
                        AmountWords.text($0.balanceMilliunits, $0.currency),
                        $0.reason ?? $0.reference,
                    ]
                }))
    }

    private static func add(_ arguments: Arguments) throws {
        let words = try arguments.words("add", "name", "amount")
        let amount = try AmountWords.checked(words[2])
        let body = TopUpBody(
            environment: try arguments.environment(), name: words[1],
            requestId: try requestID(arguments), amount: amount,
            currency: try arguments.currency())
        try change("top-up", body, id: body.requestId, of: words[1], arguments)
    }

    private static func take(_ arguments: Arguments) throws {
        let words = try arguments.words("take", "name", "amount")
        let amount = try AmountWords.checked(words[2])
        let body = CorrectCreditBody(
            environment: try arguments.environment(), name: words[1],
            requestId: try requestID(arguments), amount: "-\(amount)",
            currency: try arguments.currency(), reason: try arguments.required("reason"))
        try change("correct", body, id: body.requestId, of: words[1], arguments)
    }

    private static func redeem(_ arguments: Arguments) throws {
        let words = try arguments.words("redeem", "name", "code")
        let answer = try ControlClient(arguments).send(
            "POST", "/accounts/credit/redeem",
            RedeemGiftCodeBody(
                environment: try arguments.environment(), name: words[1], code: words[2]))
        try show(answer, of: words[1], arguments)
    }

    /// Sends a request that must not be done twice, and says how to ask again when what became of
    /// it is not known.
    private static func change(
        _ verb: String, _ body: some Encodable, id: String, of name: String,
        _ arguments: Arguments
    ) throws {
        let client = try ControlClient(arguments)
        do {
            try show(try client.send("POST", "/accounts/credit/\(verb)", body), of: name, arguments)
        } catch let failure as Failure where failure.mayBeDone {
            Terminal.note("to ask again, and have it done once, add: --request-id \(id)")
            throw failure
        }
    }

    private static func show(
        _ answer: [UInt8], of name: String, _ arguments: Arguments
    ) throws {
        try Answer.show(answer, as: CreditEntryBody.self, arguments) { entry in
            let amount = AmountWords.text(abs(entry.amountMilliunits), entry.currency)
            let verb = entry.amountMilliunits < 0 ? "took \(amount) from" : "gave \(amount) to"
            let left = AmountWords.text(entry.balanceMilliunits, entry.currency)
            return "\(verb) \(name), who had \(left) then (entry \(entry.number))"
        }
    }

    private static func requestID(_ arguments: Arguments) throws -> String {
        guard let text = arguments.value("request-id") else { return UUID().uuidString }
        guard let id = UUID(uuidString: text) else {
            throw UsageError("--request-id \(text) is no UUID")
        }
        return id.uuidString
    }
}
