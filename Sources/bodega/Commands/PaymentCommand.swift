import StoreModel
import StoreWire

/// `bodega payment list`
enum PaymentCommand {
    static let command = Command(
        help: """
            bodega payment: what the payment provider was asked

              bodega payment list [--state STATE]

            A store that was started with --payment-gateway asks a provider for what the credit of
            production's accounts lacks: it is authorized, and captured once something is sold for
            it. What is not answered is asked again until it is; see docs/payment-gateway.md.

            Options:
              --state STATE   authorizing, declined, capturing, captured, voiding, voided or failed
              --world W       a test session instead of the default world
              --data DIR      the store's data directory (BODEGA_DATA)
              --url URL       the store's address (BODEGA_URL)
              --json          print all that is known of them, as JSON

            Examples:
              bodega payment list
              bodega payment list --state failed --json
            """,
        options: ControlClient.options.union(["state"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "list": try list(arguments)
        default: throw arguments.notOne(of: "list")
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let filter = try arguments.value("state").map { text in
            guard let state = Payment.State(rawValue: text) else {
                let known = Payment.State.allCases.map(\.rawValue)
                throw UsageError("--state is one of \(known.joined(separator: ", ")), not \(text)")
            }
            return "&state=\(state.rawValue)"
        }
        let client = try ControlClient(arguments)
        var found: [PaymentBody] = []
        var next: Int64? = 0
        while let after = next {
            let page = try WireJSON.decode(
                PaymentsBody.self,
                from: client.send("GET", "/payments?after=\(after)\(filter ?? "")"))
            found += page.payments
            next = page.next
        }
        if arguments.has("json") {
            let all = try WireJSON.encode(PaymentsBody(payments: found, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["PAYMENT", "ACCOUNT", "PRODUCT", "FOR", "AMOUNT", "STATE", "TRANSACTION"],
                found.map {
                    [
                        $0.paymentId, $0.account, $0.productId, $0.purpose.rawValue,
                        AmountWords.text($0.capturedMilliunits ?? $0.amountMilliunits, $0.currency),
                        state(of: $0), $0.transactionId ?? "-",
                    ]
                }))
    }

    private static func state(of payment: PaymentBody) -> String {
        let given = payment.refunds.filter { $0.state != .failed }
            .reduce(0) { $0 + $1.amountMilliunits }
        var text = payment.state.rawValue
        if payment.tries > 0 { text += ", asked \(payment.tries) times" }
        if given > 0 { text += ", \(AmountWords.text(given, payment.currency)) goes back" }
        return text
    }
}
