import Foundation
import StoreModel
import StoreWire

extension ProductCommand {
    static func setPrice(_ arguments: Arguments) throws {
        let words = try arguments.words("price", "product", "price")
        let path = try product(words[1], arguments)
        let price = words[2] == "none" ? nil : words[2]
        let storefront = arguments.value("storefront")
        if let from = arguments.value("from") {
            guard let storefront else { throw UsageError("--from needs a --storefront") }
            let body = AddPriceBody(
                storefront: storefront, price: price, from: try TimeWords.moment(from))
            let answer = try ControlClient(arguments).send("POST", path + "/price-schedule", body)
            return try Answer.show(answer, as: PriceEntryBody.self, arguments) {
                row($0).filter { !$0.isEmpty }.joined(separator: "  ")
            }
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
        guard let number = Int64(words[2]) else {
            throw UsageError("\(words[2]) is no number; bodega product prices lists them")
        }
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
