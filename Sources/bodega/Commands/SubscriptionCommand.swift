import Foundation
import StoreModel
import StoreWire

/// `bodega subscription`
enum SubscriptionCommand {
    static let command = Command(
        group: "subscription", "auto-renewable subscriptions and their life",
        shared: Option.inWorld,
        details: """
            ID is the number of the first transaction (originalTransactionId), which list shows.
            Each command first processes everything that is due. bodega clock moves time forward,
            and bodega clock pace makes months short.
            """,
        examples: [
            "bodega subscription list", "bodega subscription fail-billing 2000000000000000",
            "bodega clock advance 40d", "bodega subscription recover 2000000000000000",
            "bodega subscription increase-price 2000000000000000 12.99 --consent",
        ],
        commands: [
            new,
            Command("list", "every subscription and its state", run: list),
            Command("show ID", "one subscription") { try ask($0, "GET", "") },
            Command("timeline ID", "its periods, what happened, and what comes next") {
                let pages = try ControlClient($0).pages(
                    SubscriptionTimelineBody.self, "\(try path($0))/timeline", next: \.older)
                let whole = try WireJSON.encode(SubscriptionTimelinePage.whole(pages))
                try $0.show(whole, SubscriptionTimelinePage.text)
            },
            Command("cancel ID", "the customer turns renewal off") {
                try ask($0, "POST", "/cancel")
            },
            Command("resume ID", "the customer turns renewal on again") {
                try ask($0, "POST", "/resume")
            },
            Command(
                "choose ID PRODUCT",
                "switch to another product of the group at renewal; the current one cancels it"
            ) {
                let body = ChooseSubscriptionBody(productId: $0["PRODUCT"])
                try ask($0, "POST", "/choose", body)
            },
            Command("renew ID", "begin the next period now") {
                let seen = try seen($0)
                let body = RenewSubscriptionBody(expectedTransactionId: seen.transactionId)
                try ask($0, "POST", "/renew", body)
            },
            Command(
                "expire ID", "end the period now, without a renewal",
                [
                    Option(
                        "reason", "R", "what apps and servers are told; voluntary when absent",
                        choices: expirationReasons.map(\.word))
                ]
            ) { arguments in
                let reason = expirationReasons.first { $0.word == arguments.value("reason") }
                let body = ExpireSubscriptionBody(expirationReason: reason?.reason.rawValue)
                try ask(arguments, "POST", "/expire", body)
            },
            Command("fail-billing ID", "make its payments fail from now on") {
                try ask($0, "POST", "/fail-billing")
            },
            Command("recover ID", "let its payments succeed again, and pay what is owed now") {
                try ask($0, "POST", "/recover")
            },
            Command("extend ID DAYS", "extend the period by that many days") {
                guard let days = Int($0["DAYS"]) else {
                    throw UsageError("DAYS must be a whole number, not \($0["DAYS"])")
                }
                let seen = try seen($0)
                let body = ExtendSubscriptionBody(
                    days: days, expectedExpiresDate: seen.expiresDate)
                try ask($0, "POST", "/extend", body)
            },
            Command(
                "increase-price ID PRICE", "raise the price from the next renewal",
                [
                    Option(
                        "consent",
                        "ask the customer, and end the subscription unless they agree")
                ]
            ) {
                let body = IncreaseSubscriptionPriceBody(
                    price: $0["PRICE"], needsConsent: $0.has("consent"))
                try ask($0, "POST", "/price-increase", body)
            },
            Command(
                "win-back ID [OFFER]",
                "redeem a win-back offer for a former subscriber; without OFFER, list them",
                run: winBack),
        ])

    private static let expirationReasons: [(word: String, reason: ExpirationReason)] = [
        ("voluntary", .voluntary), ("billing", .billingError), ("price", .noPriceConsent),
        ("unavailable", .productUnavailable), ("other", .other),
    ]

    private static func path(_ arguments: Arguments) throws -> String {
        "/subscriptions/\(try arguments.transaction())"
    }

    /// The subscription before a change: a change that would not be harmless when repeated names
    /// the state that it changes.
    private static func seen(_ arguments: Arguments) throws -> SubscriptionBody {
        try WireJSON.decode(
            SubscriptionBody.self,
            from: try ControlClient(arguments).send("GET", try path(arguments)))
    }

    private static func ask(
        _ arguments: Arguments, _ method: String, _ place: String, _ body: (any Encodable)? = nil
    ) throws {
        try arguments.send(method, try path(arguments) + place, body, SubscriptionWords.line)
    }

    private static func winBack(_ arguments: Arguments) throws {
        if let offer = arguments.word("OFFER") {
            return try ask(arguments, "POST", "/win-back", TakeWinBackBody(offerId: offer))
        }
        try arguments.send("GET", try path(arguments) + "/win-backs") { (body: WinBacksBody) in
            guard !body.offers.isEmpty else {
                return "no win-back offer is available to the customer now"
            }
            return Terminal.table(
                ["OFFER", "MODE", "PERIOD", "PERIODS", "PRICE"],
                body.offers.map {
                    [
                        $0.offerId ?? "", $0.paymentMode.rawValue, $0.period,
                        "\($0.numberOfPeriods)",
                        AmountWords.text($0.priceMilliunits, body.currency),
                    ]
                })
        }
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/subscriptions", \.subscriptions, \.next, SubscriptionsBody.init,
            ["ID", "ACCOUNT", "APP", "PRODUCT", "STATE", "RENEWS AS", "NOTES"]
        ) {
            [
                $0.originalTransactionId, $0.account, $0.bundleId, $0.productId,
                SubscriptionWords.state(of: $0), $0.autoRenewProductId ?? "-",
                SubscriptionWords.notes(on: $0),
            ]
        }
    }
}
