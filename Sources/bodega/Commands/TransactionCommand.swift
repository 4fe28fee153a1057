import StoreModel
import StoreWire

/// `bodega transaction revoke`
enum TransactionCommand {
    static let command = Command(
        help: """
            bodega transaction: take purchases back

              bodega transaction revoke ID --reason issue|other

            The receipt says from then on that the purchase was cancelled, verifyReceipt does, too,
            and apps that run are told. What is owned once goes as a whole, with every transaction
            that counts as it; it is charged again when it is bought again. What the purchase cost
            stays as it was recorded, and what the ledger was charged goes back. Who asks for the
            money goes through bodega refund.

            Options:
              --reason R   issue: an actual or supposed fault of the app; or other
              --world W    a test session instead of the default world
              --data DIR   the store's data directory (BODEGA_DATA)
              --url URL    the store's address (BODEGA_URL)
              --json       print the answer as JSON

            Examples:
              bodega transaction revoke 2000000000000000 --reason issue
              bodega transaction revoke 2000000000000000 --reason other --world checkout-test
            """,
        options: ControlClient.options.union(["reason"]), flags: ["json"]
    ) { arguments in
        guard arguments.positional.first == "revoke" else {
            throw arguments.notOne(of: "revoke")
        }
        try revoke(arguments)
    }

    private static func revoke(_ arguments: Arguments) throws {
        let id = try arguments.words("revoke", "id")[1]
        let word = try arguments.required("reason")
        guard let reason = Revocation.Reason(rawValue: word) else {
            throw UsageError("--reason is issue or other, not \(word)")
        }
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw UsageError("\(id) is no transaction's number")
        }
        let answer = try ControlClient(arguments).send(
            "POST", "/transactions/\(id)/revoke", RevokeBody(reason: reason))
        if arguments.has("json") { return Terminal.print(String(decoding: answer, as: UTF8.self)) }
        let body = try WireJSON.decode(RevokedBody.self, from: answer)
        let money =
            body.refunds.isEmpty
            ? "no money went back, since none was charged"
            : body.refunds.flatMap(ways).joined(separator: ", ")
        Terminal.print(
            "revoked \(body.transactionIds.joined(separator: ", ")), \(body.productId); \(money)")
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
