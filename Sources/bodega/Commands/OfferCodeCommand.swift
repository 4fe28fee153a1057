import Foundation
import StoreModel
import StoreWire

/// `bodega offer-code make|list|redeem|deactivate`
enum OfferCodeCommand {
    static let command = Command(
        help: """
            bodega offer-code: codes that people redeem for a subscription's offer

              bodega offer-code make PRODUCT OFFER --word WORD --redemptions N --bundle-id ID
                  [--until TIME]
              bodega offer-code make PRODUCT OFFER --count N --bundle-id ID [--until TIME]
              bodega offer-code list PRODUCT --bundle-id ID
              bodega offer-code redeem CODE NAME --bundle-id ID [--environment E]
              bodega offer-code deactivate PRODUCT NUMBER --bundle-id ID

            OFFER is the reference name of one of the product's offers for codes, from its catalogue
            file. A custom code is a word of your own that many people redeem, each once. One-time
            codes are made by the store, printed a line each, and not shown again: it keeps their
            digests. An account redeems one code of an offer. deactivate ends a code or a whole
            batch; what was redeemed stays.

            redeem does for an account what its person does on the payment sheet: the subscription
            is sold at the offer's price and comes to the account's devices, or the offer begins
            with the next renewal. Asked again, it says the same.

            Options:
              --bundle-id ID   the app
              --word WORD      up to 64 letters and digits; capitals are the same as small letters
              --redemptions N  how often a word can be redeemed, up to 1000000
              --count N        how many one-time codes, up to 10000
              --until TIME     when they end, by the world's clock: UTC, as 2026-03-31 or
                               2026-03-31T12:00:00Z
              --environment E  of the account: sandbox (when not given) or production
              --world W        a test session instead of the default world
              --data DIR       the store's data directory (BODEGA_DATA)
              --url URL        the store's address (BODEGA_URL)
              --json           print the answer as JSON

            Examples:
              bodega offer-code make com.example.app.club "Spring fair" --word SPRING26 \\
                  --redemptions 5000 --until 2026-06-01 --bundle-id com.example.app
              bodega offer-code make com.example.app.club "Spring fair" --count 100 \\
                  --bundle-id com.example.app > codes.txt
              bodega offer-code redeem SPRING26 buyer@example.com --bundle-id com.example.app
              bodega offer-code deactivate com.example.app.club 2 --bundle-id com.example.app
            """,
        options: ControlClient.options.union([
            "bundle-id", "word", "redemptions", "count", "until", "environment",
        ]), flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "list": try list(arguments)
        case "redeem": try redeem(arguments)
        case "deactivate": try deactivate(arguments)
        default: throw arguments.notOne(of: "make", "list", "redeem", "deactivate")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        let words = try arguments.words("make", "product", "offer")
        let path = try path(of: words[1], arguments)
        let request = try request(for: words[2], arguments)
        let answer = try ControlClient(arguments).send("POST", path, request)
        try Answer.show(answer, as: MadeOfferCodeBody.self, arguments) { body in
            let line = row(body.offerCode).filter { !$0.isEmpty }.joined(separator: "  ")
            guard let codes = body.codes else { return line }
            Terminal.note("batch \(line)")
            Terminal.note("keep these codes well, they are not shown again:")
            return codes.joined(separator: "\n")
        }
    }

    private static func request(
        for offer: String, _ arguments: Arguments
    ) throws -> MakeOfferCodeBody {
        let word = arguments.value("word")
        let redemptions = try number("redemptions", arguments)
        let count = try number("count", arguments)
        guard (word != nil) == (redemptions != nil), (word != nil) != (count != nil) else {
            throw UsageError(
                "bodega offer-code make needs --word and --redemptions, or --count alone")
        }
        if let word, OfferCodeWord(word) == nil {
            throw UsageError(
                "--word \(word) is no code: write up to \(OfferCodeWord.lengthMax) letters and "
                    + "digits, without accents")
        }
        return MakeOfferCodeBody(
            offerId: offer, word: word, redemptionsMax: redemptions, count: count,
            expiresAt: try arguments.value("until").map {
                try TimeWords.moment($0, for: "--until")
            })
    }

    private static func number(_ option: String, _ arguments: Arguments) throws -> Int64? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw UsageError("--\(option) \(text) is no number from 1 up")
        }
        return number
    }

    private static func list(_ arguments: Arguments) throws {
        let path = try path(of: try arguments.words("list", "product")[1], arguments)
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: OfferCodesBody.self, arguments) { body in
            Terminal.table(
                ["NUMBER", "CODE", "OFFER", "REDEEMED", "UNTIL", "STATE"],
                body.offerCodes.map { row($0) })
        }
    }

    private static func redeem(_ arguments: Arguments) throws {
        let words = try arguments.words("redeem", "code", "name")
        let app = ControlClient.escaped(try arguments.required("bundle-id"))
        let answer = try ControlClient(arguments).send(
            "POST", "/apps/\(app)/offer-codes/redeem",
            RedeemForAccountBody(
                environment: try arguments.environment(), name: words[2], code: words[1]))
        try Answer.show(answer, as: TakenOfferBody.self, arguments) { $0.line }
    }

    private static func deactivate(_ arguments: Arguments) throws {
        let words = try arguments.words("deactivate", "product", "number")
        let number = try Arguments.number(words[2], listedBy: "bodega offer-code list")
        let path = try path(of: words[1], arguments) + "/\(number)"
        let answer = try ControlClient(arguments).send("DELETE", path)
        try Answer.show(answer, as: OfferCodeBody.self, arguments) {
            row($0).filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    private static func path(of product: String, _ arguments: Arguments) throws -> String {
        try ProductCommand.product(product, arguments) + "/offer-codes"
    }

    private static func row(_ code: OfferCodeBody) -> [String] {
        [
            "\(code.number)", code.word ?? "one-time codes", code.offerId,
            "\(code.redemptionCount) of \(code.redemptionsMax)",
            code.expiresAt.map { TimeWords.text($0) } ?? "", code.state.rawValue,
        ]
    }
}

extension TakenOfferBody {
    /// What a person reads of it.
    var line: String {
        let when = transactionId.map { "transaction \($0)" } ?? "from the next renewal on"
        return "\(account) has \(offerId) of \(productId), \(when)"
    }
}
