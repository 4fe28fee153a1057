import Foundation
import StoreModel
import StoreWire

/// `bodega ask-to-buy`
enum AskToBuyCommand {
    static let command = Command(
        group: "ask-to-buy", "purchases that wait for somebody's approval",
        shared: Option.inWorld,
        details: """
            Purchases of accounts with approval on (bodega account approval NAME on) wait here, and
            in the sandbox those of payments with simulatesAskToBuyInSandbox. An approved purchase
            reaches every device of the account. Either answer can be given twice, and stands.
            """,
        examples: [
            "bodega ask-to-buy list", "bodega ask-to-buy approve 1",
            "bodega ask-to-buy decline 2 --world checkout-test",
        ],
        commands: [
            Command("list", "what waits, and what each costs now", run: list),
            Command(
                "approve NUMBER",
                "buy at the price of this moment, or say why the product is no longer sold"
            ) { try answer("approve", $0) },
            Command("decline NUMBER", "end the payment as failed on the device that asked") {
                try answer("decline", $0)
            },
        ])

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/approvals", \.approvals, \.next, ApprovalsBody.init,
            ["NUMBER", "ACCOUNT", "APP", "PRODUCT", "QUANTITY", "PRICE NOW", "ASKED"]
        ) {
            [
                "\($0.number)", $0.account, $0.bundleId, $0.productId, "\($0.quantity)",
                price(of: $0), TimeWords.text($0.askedAt),
            ]
        }
    }

    private static func answer(_ verb: String, _ arguments: Arguments) throws {
        let path = "/approvals/\(try arguments.number())/\(verb)"
        try arguments.send("POST", path) { (body: ApprovalBody) in
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
        return AmountWords.text(milliunits, currency)
    }
}
