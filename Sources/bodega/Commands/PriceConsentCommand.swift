import StoreModel
import StoreWire

/// `bodega price-consent`
enum PriceConsentCommand {
    static let command = Command(
        group: "price-consent", "ask accounts whether they go on at a higher price",
        shared: Option.inWorld,
        details: """
            ask has the devices of an account ask the customer about a subscription's new price, in
            the currency of the account's storefront: apps are asked first whether the sheet may come
            now. The answer is kept and changes nothing else, so a subscriber is not asked this way:
            bodega subscription increase-price ID PRICE --consent asks about a real increase, which
            appears here, too: agreed to, the subscription renews at that price; otherwise it ends.

            agree and decline answer for the customer, and apps take their question back. Either can
            be given twice, and stands.
            """,
        examples: [
            "bodega price-consent ask buyer@example.com com.example.app.club 2.99 "
                + "--bundle-id com.example.app",
            "bodega price-consent list", "bodega price-consent decline 1 --world checkout-test",
        ],
        commands: [
            Command(
                "ask NAME PRODUCT PRICE", "ask an account about a new price",
                [.bundleID, .environment], run: ask),
            Command("list", "what was asked, and the answers", run: list),
            Command("show NUMBER", "a question and its answer") {
                try $0.send("GET", "/price-consents/\(try $0.number())", nil, text)
            },
            Command("agree NUMBER", "agree for the customer") {
                try $0.send("POST", "/price-consents/\(try $0.number())/agree", nil, text)
            },
            Command("decline NUMBER", "decline for the customer") {
                try $0.send("POST", "/price-consents/\(try $0.number())/decline", nil, text)
            },
        ])

    private static func ask(_ arguments: Arguments) throws {
        let price = arguments["PRICE"]
        guard Price(decimal: price) != nil else {
            throw UsageError(
                "PRICE \(price) is not a price: write it like 0.99, with at most three places")
        }
        let body = AskPriceConsentBody(
            environment: arguments.environment, name: arguments["NAME"],
            bundleId: try arguments.bundleID(), productId: arguments["PRODUCT"],
            price: price)
        try arguments.send("POST", "/price-consents", body, text)
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/price-consents", \.priceConsents, \.next, PriceConsentsBody.init,
            ["NUMBER", "ACCOUNT", "APP", "PRODUCT", "FROM", "TO", "ASKED", "STATE"]
        ) {
            [
                "\($0.number)", $0.account, $0.bundleId, $0.productId,
                AmountWords.text($0.oldPriceMilliunits, $0.currency),
                AmountWords.text($0.newPriceMilliunits, $0.currency),
                TimeWords.text($0.askedAt), $0.state.rawValue,
            ]
        }
    }

    private static func text(of body: PriceConsentBody) -> String {
        "question \(body.number): \(body.account) pays "
            + "\(AmountWords.text(body.newPriceMilliunits, body.currency)) in place of "
            + "\(AmountWords.text(body.oldPriceMilliunits, body.currency)) for \(body.productId): "
            + body.state.rawValue
    }
}
