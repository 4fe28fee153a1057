import StoreModel
import StoreWire

/// `bodega gift-code make|list|void`
enum GiftCodeCommand {
    static let command = Command(
        help: """
            bodega gift-code: codes that customers redeem for store credit

              bodega gift-code make AMOUNT CURRENCY [--expires TIME]
              bodega gift-code list
              bodega gift-code void NUMBER

            A code is made by the store and shown once: it keeps only a digest. One account of the
            environment redeems it, in a storefront of its currency, before it expires by the
            world's clock. void ends one that nobody redeemed; do so and make another when the
            answer with a new code was lost. bodega credit redeem redeems one.

            Options:
              --expires TIME   such as 2026-12-31T23:59:59Z; good for ever when not given
              --environment E  sandbox (when not given) or production
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega gift-code make 25 USD
              bodega gift-code make 10 EUR --expires 2030-12-31 --environment production
              bodega gift-code void 1
            """,
        options: ControlClient.options.union(["expires", "environment"]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "list": try list(arguments)
        case "void": try void(arguments)
        default: throw arguments.notOne(of: "make", "list", "void")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        let words = try arguments.words("make", "amount", "currency")
        let body = MakeGiftCodeBody(
            environment: try arguments.environment(), amount: try AmountWords.checked(words[1]),
            currency: try AmountWords.currency(words[2], for: "CURRENCY"),
            expiresAt: try arguments.value("expires").map {
                try TimeWords.moment($0, for: "--expires")
            })
        let answer = try ControlClient(arguments).send("POST", "/gift-codes", body)
        try Answer.show(answer, as: MadeGiftCodeBody.self, arguments) { body in
            Terminal.note(
                "gift code \(body.number), \(body.environment.rawValue); it is not shown again:")
            return body.code
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let codes = try ControlClient(arguments).pages(
            GiftCodesBody.self, "/gift-codes", next: \.next
        ).flatMap(\.giftCodes)
        if arguments.has("json") {
            let all = try WireJSON.encode(GiftCodesBody(giftCodes: codes, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["NUMBER", "STATE", "AMOUNT", "ENVIRONMENT", "MADE", "EXPIRES", "REDEEMED BY"],
                codes.map {
                    [
                        "\($0.number)", $0.state.rawValue,
                        AmountWords.text($0.amountMilliunits, $0.currency),
                        $0.environment.rawValue, TimeWords.text($0.madeAt),
                        $0.expiresAt.map { TimeWords.text($0) } ?? "", $0.redeemedBy ?? "",
                    ]
                }))
    }

    private static func void(_ arguments: Arguments) throws {
        let word = try arguments.words("void", "number")[1]
        let number = try Arguments.number(word, listedBy: "bodega gift-code list")
        let answer = try ControlClient(arguments).send("DELETE", "/gift-codes/\(number)")
        try Answer.show(answer, as: GiftCodeBody.self, arguments) { "voided \($0.number)" }
    }
}
