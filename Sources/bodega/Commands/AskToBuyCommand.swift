import Foundation
import StoreModel
import StoreWire

/// `bodega ask-to-buy list|approve|decline`
enum AskToBuyCommand {
    static let command = Command(
        help: """
            bodega ask-to-buy: purchases that wait for somebody's approval

              bodega ask-to-buy list
              bodega ask-to-buy approve NUMBER
              bodega ask-to-buy decline NUMBER

            Purchases of accounts with approval on (bodega account approval NAME on) wait here, and
            in the sandbox those of payments with simulatesAskToBuyInSandbox. list shows what each
            costs now. approve buys at the price of that moment, or says why the product is not
            sold any more; the purchase reaches every device of the account. decline ends the
            payment as failed on the device that asked. Either can be said twice, and stands.

            Options:
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega ask-to-buy list
              bodega ask-to-buy approve 1
              bodega ask-to-buy decline 2 --world checkout-test
            """,
        options: ControlClient.options, flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "list": try list(arguments)
        case "approve": try answer("approve", arguments)
        case "decline": try answer("decline", arguments)
        default: throw arguments.notOne(of: "list", "approve", "decline")
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let approvals = try ControlClient(arguments).pages(
            ApprovalsBody.self, "/approvals", next: \.next
        ).flatMap(\.approvals)
        if arguments.has("json") {
            let all = try WireJSON.encode(ApprovalsBody(approvals: approvals, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["NUMBER", "ACCOUNT", "APP", "PRODUCT", "QUANTITY", "PRICE NOW", "ASKED"],
                approvals.map {
                    [
                        "\($0.number)", $0.account, $0.bundleId, $0.productId, "\($0.quantity)",
                        price(of: $0), TimeWords.text($0.askedAt),
                    ]
                }))
    }

    private static func answer(_ verb: String, _ arguments: Arguments) throws {
        let word = try arguments.words(verb, "number")[1]
        let number = try Arguments.number(word, listedBy: "bodega ask-to-buy list")
        let answer = try ControlClient(arguments).send("POST", "/approvals/\(number)/\(verb)")
        try Answer.show(answer, as: ApprovalBody.self, arguments) { body in
            let what = "\(body.quantity) × \(body.productId) for \(body.account)"
            return switch body.state {
            case .pending: "\(what) waits"
            case .approved:
                body.transactionId.map { "approved \(what), bought as \($0)" }
                    ?? "approved \(what), which waits for its payment"
            case .declined: "declined \(what)"
            case .refused: "approved \(what), but not sold: \(body.refusal?.message ?? "")"
            }
        }
    }

    private static func price(of approval: ApprovalBody) -> String {
        guard let milliunits = approval.priceMilliunits, let currency = approval.currency else {
            return "not for sale"
        }
        return "\(Decimal(milliunits) / 1_000) \(currency)"
    }
}
