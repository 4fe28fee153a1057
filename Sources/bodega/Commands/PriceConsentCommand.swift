import Foundation
import StoreModel
import StoreWire

/// `bodega price-consent ask|list|agree|decline`
enum PriceConsentCommand {
    static let command = Command(
        help: """
            bodega price-consent: ask accounts whether they go on at a higher price

              bodega price-consent ask NAME PRODUCT PRICE --bundle-id APP [--environment E]
              bodega price-consent list
              bodega price-consent agree NUMBER
              bodega price-consent decline NUMBER

            ask has the devices of an account ask its person about a subscription's new price, in
            the currency of the account's storefront: apps are asked first whether the sheet may
            come now. list shows what was asked and answered. agree and decline answer for the
            person, and apps take their question back. Either can be said twice, and stands.
            The answers are kept; nothing renews yet that would go by them.

            Options:
              --bundle-id APP  whose product
              --environment E  sandbox (when not given) or production
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega price-consent ask buyer@example.com com.example.app.club 2.99 \\
                  --bundle-id com.example.app
              bodega price-consent list
              bodega price-consent decline 1 --world checkout-test
            """,
        options: ControlClient.options.union(["bundle-id", "environment"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "ask": try ask(arguments)
        case "list": try list(arguments)
        case "agree": try answer("agree", arguments)
        case "decline": try answer("decline", arguments)
        default: throw arguments.notOne(of: "ask", "list", "agree", "decline")
        }
    }

    private static func ask(_ arguments: Arguments) throws {
        let words = try arguments.words("ask", "name", "product", "price")
        guard Price(decimal: words[3]) != nil else {
            throw UsageError(
                "PRICE \(words[3]) is no price: write it like 0.99, with at most three places")
        }
        let answer = try ControlClient(arguments).send(
            "POST", "/price-consents",
            AskPriceConsentBody(
                environment: try arguments.environment(), name: words[1],
                bundleId: try arguments.required("bundle-id"), productId: words[2],
                price: words[3]))
        try show(answer, arguments)
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let consents = try ControlClient(arguments).pages(
            PriceConsentsBody.self, "/price-consents", next: \.next
        ).flatMap(\.priceConsents)
        if arguments.has("json") {
            let all = try WireJSON.encode(PriceConsentsBody(priceConsents: consents, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["NUMBER", "ACCOUNT", "APP", "PRODUCT", "FROM", "TO", "ASKED", "STATE"],
                consents.map {
                    [
                        "\($0.number)", $0.account, $0.bundleId, $0.productId,
                        amount($0.oldPriceMilliunits, $0), amount($0.newPriceMilliunits, $0),
                        TimeWords.text($0.askedAt), $0.state.rawValue,
                    ]
                }))
    }

    private static func answer(_ verb: String, _ arguments: Arguments) throws {
        let word = try arguments.words(verb, "number")[1]
        let number = try Arguments.number(word, listedBy: "bodega price-consent list")
        try show(
            try ControlClient(arguments).send("POST", "/price-consents/\(number)/\(verb)"),
            arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: PriceConsentBody.self, arguments) { body in
            "question \(body.number): \(body.account) pays \(amount(body.newPriceMilliunits, body)) "
                + "in place of \(amount(body.oldPriceMilliunits, body)) for \(body.productId): "
                + body.state.rawValue
        }
    }

    private static func amount(_ milliunits: Int64, _ body: PriceConsentBody) -> String {
        "\(Decimal(milliunits) / 1_000) \(body.currency)"
    }
}
