import StoreLog
import StoreModel
import StoreWire

/// `bodega transaction`
enum TransactionCommand {
    static let command = Command(
        group: "transaction", "list, export and revoke purchases", shared: Option.inWorld,
        details: """
            ID is the number of a transaction. A list has the newest first; restored copies are left
            out. A transaction is revoked, or replaced by another product of its group, or else
            finished or unfinished, as its app has it.

            An export has every sale of the world, with what the ledger charged and refunded for it,
            in thousandths of the currency; bodega backend reconcile compares it with what a backend
            delivered.

            After a revocation the receipt and verifyReceipt report the purchase as cancelled, and
            running apps are notified. A purchase that is owned once, such as a non-consumable, is
            revoked as a whole, with every transaction that counts as it; buying it again is charged
            again. The price stays as it was recorded, and the amount charged in the ledger goes
            back. If the customer asks for the money, use bodega refund.

            In a test session's sandbox, delete removes a purchase, its restored copies and the later
            periods of its subscription, which then stands at the period before.
            """,
        examples: [
            "bodega transaction list --limit 20",
            "bodega transaction list --account buyer@example.com --state unfinished",
            "bodega transaction list --product com.example.app.fuel --from 2026-03-01 "
                + "--until 2026-04-01 --environment production",
            "bodega transaction show 2000000000000000",
            "bodega transaction revoke 2000000000000000 --reason issue",
            "bodega transaction revoke 2000000000000000 --reason other --world checkout-test",
            "bodega transaction export --csv > sales.csv",
            "bodega transaction delete 2000000000000000 --world checkout-test",
        ],
        commands: [
            Command(
                "list", "what was sold, the newest first",
                Option.ofOwner + [
                    Option("product", "PRODUCT", "only those of this product"),
                    Option(
                        "state", "S", "only those in this state",
                        choices: TransactionState.allCases.map(\.rawValue)),
                    Option("from", "TIME", "only those bought then or later"),
                    Option("until", "TIME", "only those bought before"),
                    .newest,
                ], run: list),
            Command(
                "show ID",
                "one, with its family's copies, refund, payment and postings in the ledger"
            ) {
                try $0.send("GET", "/transactions/\(try $0.transaction())", nil, SalePages.text)
            },
            Command(
                "export", "every sale, with what was charged and refunded",
                [Option("csv", "comma-separated values instead of JSON")], run: export),
            Command(
                "revoke ID", "revoke a purchase",
                [
                    Option(
                        "reason", "R", "issue: an actual or supposed fault of the app; or other",
                        choices: ["issue", "other"], isRequired: true)
                ], run: revoke),
            Command("delete ID", "delete a purchase of a test session, with what came from it") {
                let number = try $0.transaction()
                _ = try ControlClient($0).send("DELETE", "/transactions/\(number)")
                Terminal.print($0.has("json") ? #"{"deleted":true}"# : "deleted \(number)")
            },
        ])

    private static func list(_ arguments: Arguments) throws {
        func time(_ name: String) throws -> String? {
            try arguments.moment(name).map { "\($0.milliseconds)" }
        }
        let query = arguments.query([
            "order": "newest", "product": arguments.value("product"),
            "state": arguments.value("state"), "from": try time("from"),
            "until": try time("until"),
        ])
        let pages = try arguments.pages(
            "/transactions", query: arguments.ownerQuery + query, pageMax: 1_000,
            { (page: SalesBody) in page.transactions }, \.next)
        let whole = SalesBody(
            transactions: try arguments.rows(of: pages, \.transactions), next: nil,
            position: pages.first?.position ?? "0")
        try arguments.show(try WireJSON.encode(whole)) { (body: SalesBody) in
            SalePages.table(body.transactions)
        }
    }

    private static func export(_ arguments: Arguments) throws {
        let pages = try ControlClient(arguments).pages(
            SoldTransactionsBody.self, "/transactions", next: \.next)
        let sales = pages.flatMap(\.transactions)
        guard arguments.has("csv") else {
            let all = SoldTransactionsBody(
                transactions: sales, next: nil, position: pages.last?.position)
            return Terminal.print(
                String(decoding: try WireJSON.encode(all), as: UTF8.self), as: .json)
        }
        let lines = [SoldTransactionBody.csvHeader] + sales.map(\.csvFields)
        Terminal.print(file: Array(lines.map(CSV.line).joined().utf8))
    }

    private static func revoke(_ arguments: Arguments) throws {
        let path = "/transactions/\(try arguments.transaction())/revoke"
        let asked = RevokeBody(reason: try arguments.requiredChoice("reason"))
        try arguments.send("POST", path, asked) { (body: RevokedBody) in
            let money =
                body.refunds.isEmpty
                ? "no money was refunded, because none was charged"
                : body.refunds.flatMap(ways).joined(separator: ", ")
            return "revoked \(body.transactionIds.joined(separator: ", ")), \(body.productId); "
                + money
        }
    }

    /// The refunds of one transaction, by destination.
    private static func ways(_ refund: RevokedMoneyBody) -> [String] {
        func amount(_ milliunits: Int64) -> String {
            AmountWords.text(milliunits, refund.currency)
        }
        let ways = [
            refund.creditMilliunits > 0
                ? "\(amount(refund.creditMilliunits)) was refunded to the account's credit" : nil,
            refund.providerMilliunits > 0
                ? "\(amount(refund.providerMilliunits)) is refunded through the payment provider"
                : nil,
        ].compactMap { $0 }
        return ways.isEmpty ? ["nothing was left to refund for \(refund.transactionId)"] : ways
    }
}
