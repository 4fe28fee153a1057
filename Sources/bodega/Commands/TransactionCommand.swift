import StoreModel
import StoreWire

/// `bodega transaction`
enum TransactionCommand {
    static let command = Command(
        group: "transaction", "take purchases back", shared: Option.inWorld,
        details: """
            The receipt says from then on that the purchase was cancelled, verifyReceipt does, too,
            and apps that run learn of it. What is owned once goes as a whole, with every transaction
            that counts as it; it is charged again when it is bought again. What the purchase cost
            stays as it was recorded, and what the ledger was charged goes back. For a customer who
            asks for the money there is bodega refund.
            """,
        examples: [
            "bodega transaction revoke 2000000000000000 --reason issue",
            "bodega transaction revoke 2000000000000000 --reason other --world checkout-test",
        ],
        commands: [
            Command(
                "revoke ID", "take a purchase back",
                [
                    Option(
                        "reason", "R", "issue: an actual or supposed fault of the app; or other",
                        choices: ["issue", "other"], isRequired: true)
                ], run: revoke)
        ])

    private static func revoke(_ arguments: Arguments) throws {
        let path = "/transactions/\(try arguments.transaction())/revoke"
        let asked = RevokeBody(reason: try arguments.requiredChoice("reason"))
        try arguments.send("POST", path, asked) { (body: RevokedBody) in
            let money =
                body.refunds.isEmpty
                ? "no money went back, since none was charged"
                : body.refunds.flatMap(ways).joined(separator: ", ")
            return "revoked \(body.transactionIds.joined(separator: ", ")), \(body.productId); "
                + money
        }
    }

    /// Where the money of one transaction went.
    private static func ways(_ refund: RevokedMoneyBody) -> [String] {
        func amount(_ milliunits: Int64) -> String {
            AmountWords.text(milliunits, refund.currency)
        }
        let ways = [
            refund.creditMilliunits > 0
                ? "\(amount(refund.creditMilliunits)) went back to the account's credit" : nil,
            refund.providerMilliunits > 0
                ? "\(amount(refund.providerMilliunits)) goes back through the payment provider"
                : nil,
        ].compactMap { $0 }
        return ways.isEmpty ? ["nothing was left to go back of \(refund.transactionId)"] : ways
    }
}
