import Foundation
import StoreModel
import StoreWire

/// `bodega ask-to-buy`
enum AskToBuyCommand {
    static let command = Command(
        group: "ask-to-buy", "purchases that wait for approval",
        shared: Option.inWorld,
        details: """
            Purchases of accounts with approval on (bodega account approval NAME on) wait here; in
            the sandbox also those of payments with simulatesAskToBuyInSandbox. An approved purchase
            reaches every device of the account. An answer is final; repeating it has no effect.
            """,
        examples: [
            "bodega ask-to-buy list", "bodega ask-to-buy approve 1",
            "bodega ask-to-buy decline 2 --world checkout-test",
        ],
        commands: [
            Command("list", "every waiting purchase and its current price", run: list),
            Command(
                "approve NUMBER",
                "buy at the current price, or say why the product is no longer sold"
            ) { try answer("approve", $0) },
            Command("decline NUMBER", "decline: the payment fails on the device that asked") {
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
            case .pending: "\(what) is waiting"
            case .approved:
                body.transactionId.map { "approved \(what), bought as \($0)" }
                    ?? "approved \(what), which is waiting for its payment"
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
