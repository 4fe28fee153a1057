import StoreModel
import StoreWire

/// `bodega payment`
enum PaymentCommand {
    static let command = Command(
        group: "payment", "requests to the payment provider", shared: Option.inWorld,
        details: """
            A store started with --payment-gateway asks a provider to pay what the credit of
            production accounts does not cover: the amount is authorized, and captured once
            something is sold for it. An unanswered request is repeated until it is answered; see
            docs/payment-gateway.md.
            """,
        examples: ["bodega payment list", "bodega payment list --state failed --json"],
        commands: [
            Command(
                "list", "every payment; with --json, all their details",
                [
                    Option(
                        "state", "STATE",
                        "only those in this state: "
                            + Spelling.either(Payment.State.allCases.map(\.rawValue)),
                        choices: Payment.State.allCases.map(\.rawValue))
                ], run: list)
        ])

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/payments", query: arguments.value("state").map { "&state=\($0)" } ?? "",
            \.payments, \.next, PaymentsBody.init,
            ["PAYMENT", "ACCOUNT", "PRODUCT", "FOR", "AMOUNT", "STATE", "TRANSACTION"]
        ) {
            [
                $0.paymentId, $0.account, $0.productId, $0.purpose.rawValue,
                AmountWords.text($0.capturedMilliunits ?? $0.amountMilliunits, $0.currency),
                state(of: $0), $0.transactionId ?? "-",
            ]
        }
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
