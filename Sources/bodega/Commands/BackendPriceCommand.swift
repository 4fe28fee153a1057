import PurchaseBackend
import StoreModel
import StoreWire

/// `bodega backend prices` and `reconcile`
enum BackendPriceCommand {
    static func commands(_ shared: [Option]) -> [Command] {
        [
            Command(
                group: "prices", "the backend's own price records, for reports",
                commands: [
                    Command("set FILE", "replace them with those of a file (JSON)", shared) {
                        let body = try PriceFile.read($0["FILE"])
                        try ask($0, "PUT", ["prices"], body) { (body: PriceRecordsBody) in
                            "\(body.prices.count) price records"
                        }
                    },
                    Command("list", "all of them", shared) {
                        try ask($0, "GET", ["prices"], nil) { table($0) }
                    },
                ]),
            Command(
                "reconcile EXPORT",
                "compare what was delivered with what the store charged, and with the price records",
                shared, run: reconcile),
        ]
    }

    private static func ask<Body: Decodable>(
        _ arguments: Arguments, _ method: String, _ path: [String], _ body: (any Encodable)?,
        _ text: (Body) throws -> String
    ) throws {
        try arguments.show(try OperatorClient(arguments).send(method, path, body: body), text)
    }

    private static func reconcile(_ arguments: Arguments) throws {
        let sales = try SalesFile.read(arguments["EXPORT"])
        let client = try OperatorClient(arguments)
        let prices = try WireJSON.decode(
            PriceRecordsBody.self, from: try client.send("GET", ["prices"]))
        var delivered: [DeliveryBody] = []
        var place: String?
        repeat {
            let page = try WireJSON.decode(
                DeliveriesBody.self,
                from: try client.send(
                    "GET", ["deliveries"], query: place.map { [("after", $0)] } ?? []))
            delivered += page.deliveries
            place = page.nextAfter
        } while place != nil
        let report = Reconciliation.report(sales, delivered: delivered, prices: prices.prices)
        try arguments.show(try WireJSON.encode(report), text)
    }

    private static func table(_ body: PriceRecordsBody) -> String {
        func time(_ milliseconds: Int64?) -> String { OperatorPage.time(milliseconds) }
        return Terminal.table(
            ["PRODUCT", "STOREFRONT", "AMOUNT", "FROM", "UNTIL"],
            body.prices.map { price in
                let unit = Currency(code: price.currency)?.smallestMilliunits ?? 1
                return [
                    OperatorPage.clean(price.productId), price.storefront,
                    AmountWords.text(price.amount * unit, price.currency), time(price.from),
                    time(price.until),
                ]
            })
    }

    private static func text(_ report: ReconciliationBody) -> String {
        func cell(_ tally: ReconciliationBody.Tally, _ currency: String) -> String {
            tally.count == 0
                ? "" : "\(tally.count): \(AmountWords.text(tally.milliunits, currency))"
        }
        var parts = [
            Terminal.table(
                ["PRODUCT", "MONTH", "SOLD", "REFUNDED", "FREE", "DIFFERS", "UNKNOWN", "NET"],
                report.lines.map { line in
                    let tallies = [
                        line.sold, line.refunded, line.free, line.differs, line.unknown,
                    ]
                    return [OperatorPage.clean(line.productId), line.month]
                        + tallies.map { cell($0, line.currency) }
                        + [AmountWords.text(line.netMilliunits, line.currency)]
                })
        ]
        parts += report.totals.map { total in
            func amount(_ milliunits: Int64) -> String {
                AmountWords.text(milliunits, total.currency)
            }
            return "\(amount(total.chargedMilliunits)) charged, "
                + "\(amount(total.refundedMilliunits)) refunded, \(amount(total.netMilliunits)) net"
        }
        parts += report.differences.map { difference in
            "\(OperatorPage.clean(difference.transactionId)) of "
                + "\(OperatorPage.clean(difference.productId)) was charged "
                + AmountWords.text(difference.chargedMilliunits, difference.currency)
                + ", not \(AmountWords.text(difference.expectedMilliunits, difference.currency))"
                + (difference.offer.map { " (\(OperatorPage.clean($0)) offer)" } ?? "")
        }
        for (sentence, transactions) in [
            ("sold and not delivered here", report.notDelivered),
            ("delivered without a price record", report.notPriced),
            ("delivered and not in the export", report.notExported),
        ] where !transactions.isEmpty {
            let words = transactions.map(OperatorPage.clean).joined(separator: ", ")
            parts.append("\(sentence): \(words)")
        }
        return parts.joined(separator: "\n")
    }
}
