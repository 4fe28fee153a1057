import StoreModel
import StoreWire

/// `bodega gift-code`
enum GiftCodeCommand {
    static let command = Command(
        group: "gift-code", "codes that customers redeem for store credit",
        shared: Option.inWorld,
        details: """
            The store makes a code and shows it once: it keeps only a digest. One account of the
            environment redeems it, in a storefront of its currency, before it expires by the
            world's clock; bodega credit redeem does so for an account. If the answer with a new
            code is lost, void that code and make another.
            """,
        examples: [
            "bodega gift-code make 25 USD",
            "bodega gift-code make 10 EUR --expires 2030-12-31 --environment production",
            "bodega gift-code void 1",
        ],
        commands: [
            Command(
                "make AMOUNT CURRENCY", "make a code, which is shown once",
                [
                    Option(
                        "expires", "TIME",
                        "such as 2026-12-31T23:59:59Z; never by default"), .environment,
                ], run: make),
            Command("list", "every code, its amount and the account that redeemed it", run: list),
            Command("void NUMBER", "void an unredeemed code") {
                try $0.send("DELETE", "/gift-codes/\(try $0.number())") { (code: GiftCodeBody) in
                    "voided \(code.number)"
                }
            },
        ])

    private static func make(_ arguments: Arguments) throws {
        let body = MakeGiftCodeBody(
            environment: arguments.environment,
            amount: try AmountWords.checked(arguments["AMOUNT"]),
            currency: try AmountWords.currency(arguments["CURRENCY"], for: "CURRENCY"),
            expiresAt: try arguments.moment("expires"))
        try arguments.send("POST", "/gift-codes", body) { (body: MadeGiftCodeBody) in
            Terminal.note(
                "gift code \(body.number), \(body.environment.rawValue); it is not shown again:")
            return body.code
        }
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/gift-codes", \.giftCodes, \.next, GiftCodesBody.init,
            ["NUMBER", "STATE", "AMOUNT", "ENVIRONMENT", "MADE", "EXPIRES", "REDEEMED BY"]
        ) {
            [
                "\($0.number)", $0.state.rawValue,
                AmountWords.text($0.amountMilliunits, $0.currency), $0.environment.rawValue,
                TimeWords.text($0.madeAt), $0.expiresAt.map { TimeWords.text($0) } ?? "",
                $0.redeemedBy ?? "",
            ]
        }
    }
}
