import Foundation
import StoreModel
import StoreWire

extension ProductCommand {
    static func setPrice(_ arguments: Arguments) throws {
        let path = try arguments.product()
        let price = arguments["PRICE"] == "none" ? nil : arguments["PRICE"]
        if let price, Price(decimal: price) == nil {
            throw UsageError(
                "PRICE \(price) is not a price: write it like 0.99, with at most three places, or "
                    + "none")
        }
        let storefront = try arguments.storefront()
        if let from = try arguments.moment("from") {
            guard let storefront else {
                throw UsageError(
                    "--from needs --storefront: only a storefront's own price has a date")
            }
            let body = AddPriceBody(storefront: storefront, price: price, from: from)
            return try arguments.send("POST", path + "/price-schedule", body, line)
        }
        guard price != nil || storefront != nil else {
            throw UsageError(
                "PRICE none removes a storefront's own price, so it needs --storefront")
        }
        let own = storefront.map { "/prices/\(ServerClient.escaped($0))" }
        try show(
            try ControlClient(arguments).send(
                "PUT", path + (own ?? "/price"), PriceBody(price: price)), arguments)
    }

    static func prices(_ arguments: Arguments) throws {
        let path = try arguments.product() + "/price-schedule"
        try arguments.send("GET", path) { (body: PricesBody) in
            let table = Terminal.table(
                ["NUMBER", "STOREFRONT", "PRICE", "FROM", "STATE"], body.prices.map { row($0) })
            return "elsewhere \(body.basePrice)\n" + table
        }
    }

    static func cancelPrice(_ arguments: Arguments) throws {
        let number = try arguments.number(listedBy: "bodega product prices")
        let path = try arguments.product() + "/price-schedule/\(number)"
        try arguments.send("DELETE", path, nil, line)
    }

    private static func line(_ entry: PriceEntryBody) -> String {
        row(entry).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func row(_ entry: PriceEntryBody) -> [String] {
        [
            "\(entry.number)", entry.storefront,
            entry.price.map { "\($0) \(entry.currency)" } ?? "none",
            entry.from.map { TimeWords.text($0) } ?? "at once", entry.state.rawValue,
        ]
    }
}
