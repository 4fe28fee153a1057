import Foundation
import StoreModel
import StoreWire

extension ProductCommand {
    static func setPrice(_ arguments: Arguments) throws {
        let words = try arguments.words("price", "product", "price")
        let path = try product(words[1], arguments)
        let price = words[2] == "none" ? nil : words[2]
        if let price, Price(decimal: price) == nil {
            throw UsageError(
                "PRICE \(price) is no price: write it like 0.99, with at most three places, or "
                    + "none")
        }
        let storefront = try arguments.storefront()
        if let from = arguments.value("from") {
            guard let storefront else {
                throw UsageError(
                    "--from needs --storefront: only a storefront's own price has a date")
            }
            let body = AddPriceBody(
                storefront: storefront, price: price,
                from: try TimeWords.moment(from, for: "--from"))
            let answer = try ControlClient(arguments).send("POST", path + "/price-schedule", body)
            return try Answer.show(answer, as: PriceEntryBody.self, arguments) {
                row($0).filter { !$0.isEmpty }.joined(separator: "  ")
            }
        }
        guard price != nil || storefront != nil else {
            throw UsageError(
                "PRICE none takes a storefront's own price away, so it needs --storefront")
        }
        let own = storefront.map { "/prices/\(ControlClient.escaped($0))" }
        try show(
            try ControlClient(arguments).send(
                "PUT", path + (own ?? "/price"), PriceBody(price: price)), arguments)
    }

    static func prices(_ arguments: Arguments) throws {
        let id = try arguments.words("prices", "product")[1]
        let path = try product(id, arguments) + "/price-schedule"
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: PricesBody.self, arguments) { body in
            let table = Terminal.table(
                ["NUMBER", "STOREFRONT", "PRICE", "FROM", "STATE"], body.prices.map { row($0) })
            return "elsewhere \(body.basePrice)\n" + table
        }
    }

    static func cancelPrice(_ arguments: Arguments) throws {
        let words = try arguments.words("cancel-price", "product", "number")
        let number = try Arguments.number(words[2], listedBy: "bodega product prices")
        let path = try product(words[1], arguments) + "/price-schedule/\(number)"
        let answer = try ControlClient(arguments).send("DELETE", path)
        try Answer.show(answer, as: PriceEntryBody.self, arguments) {
            row($0).filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    private static func row(_ entry: PriceEntryBody) -> [String] {
        [
            "\(entry.number)", entry.storefront,
            entry.price.map { "\($0) \(entry.currency)" } ?? "none",
            entry.from.map { TimeWords.text($0) } ?? "at once", entry.state.rawValue,
        ]
    }
}
