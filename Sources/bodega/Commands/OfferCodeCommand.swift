import Foundation
import StoreModel
import StoreWire

/// `bodega offer-code`
enum OfferCodeCommand {
    static let command = Command(
        group: "offer-code", "codes that customers redeem for a subscription offer",
        shared: [.bundleID] + Option.inWorld,
        details: """
            OFFER is the reference name of one of the product's offers for codes, from its catalogue
            file. A custom code is a word of your own that many customers redeem, each once. The
            store makes one-time codes, prints them one to a line, and does not show them again: it
            keeps only their digests. An account can redeem one code of an offer.

            redeem acts for an account as the customer would on the payment sheet: the subscription
            is sold at the offer's price and reaches the account's devices, or the offer begins with
            the next renewal. Repeating it gives the same answer.
            """,
        examples: [
            "bodega offer-code make com.example.app.club \"Spring fair\" --word SPRING26 "
                + "--redemptions 5000 --until 2026-06-01 --bundle-id com.example.app",
            "bodega offer-code make com.example.app.club \"Spring fair\" --count 100 "
                + "--bundle-id com.example.app > codes.txt",
            "bodega offer-code redeem SPRING26 buyer@example.com --bundle-id com.example.app",
            "bodega offer-code deactivate com.example.app.club 2 --bundle-id com.example.app",
        ],
        commands: [
            Command(
                "make PRODUCT OFFER",
                "make a word (--word and --redemptions) or one-time codes (--count)",
                [
                    Option(
                        "word", "WORD",
                        "up to 64 letters and digits; upper and lower case are the same"),
                    Option("redemptions", "N", "how often a word can be redeemed, up to 1000000"),
                    Option("count", "N", "how many one-time codes, up to 10000"),
                    Option(
                        "until", "TIME",
                        "when they expire, by the world's clock: UTC, as 2026-03-31 or "
                            + "2026-03-31T12:00:00Z"),
                ], run: make),
            Command(
                "list PRODUCT", "a product's words and batches, with redemption counts"
            ) {
                try $0.send("GET", try path($0)) { (body: OfferCodesBody) in
                    Terminal.table(
                        ["NUMBER", "CODE", "OFFER", "REDEEMED", "UNTIL", "STATE"],
                        body.offerCodes.map { row($0) })
                }
            },
            Command("redeem CODE NAME", "redeem a code for an account", [.environment]) {
                let body = RedeemForAccountBody(
                    environment: $0.environment, name: $0["NAME"], code: $0["CODE"])
                let path = try $0.app() + "/offer-codes/redeem"
                try $0.send("POST", path, body) { (taken: TakenOfferBody) in taken.line }
            },
            Command(
                "deactivate PRODUCT NUMBER",
                "end a word or a whole batch; redeemed codes are not affected"
            ) {
                let number = try $0.number()
                try $0.send("DELETE", try path($0) + "/\(number)") { (code: OfferCodeBody) in
                    line(code)
                }
            },
        ])

    private static func make(_ arguments: Arguments) throws {
        let path = try path(arguments)
        try arguments.send("POST", path, try order(arguments)) { (body: MadeOfferCodeBody) in
            guard let codes = body.codes else { return line(body.offerCode) }
            Terminal.note("batch \(line(body.offerCode))")
            Terminal.note("store these codes safely; they are not shown again:")
            return codes.joined(separator: "\n")
        }
    }

    private static func order(_ arguments: Arguments) throws -> MakeOfferCodeBody {
        let word = arguments.value("word")
        let redemptions = try arguments.count("redemptions")
        let count = try arguments.count("count")
        guard (word != nil) == (redemptions != nil), (word != nil) != (count != nil) else {
            throw UsageError(
                "bodega offer-code make needs --word and --redemptions, or --count alone")
        }
        if let word, OfferCodeWord(word) == nil {
            throw UsageError(
                "--word \(word) is not a code: write up to \(OfferCodeWord.lengthMax) letters and "
                    + "digits, without accents")
        }
        return MakeOfferCodeBody(
            offerId: arguments["OFFER"], word: word, redemptionsMax: redemptions, count: count,
            expiresAt: try arguments.moment("until"))
    }

    private static func path(_ arguments: Arguments) throws -> String {
        try arguments.product() + "/offer-codes"
    }

    private static func line(_ code: OfferCodeBody) -> String {
        row(code).filter { !$0.isEmpty }.joined(separator: "  ")
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
    /// The printed form of a redemption.
    var line: String {
        let when = transactionId.map { "transaction \($0)" } ?? "from the next renewal on"
        return "\(account) has \(offerId) of \(productId), \(when)"
    }
}
