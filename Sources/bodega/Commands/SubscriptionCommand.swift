import Foundation
import StoreModel
import StoreWire

/// `bodega subscription list|show|renew|expire|cancel|resume|choose|fail-billing|recover|extend|increase-price|win-back`
enum SubscriptionCommand {
    static let command = Command(
        help: """
            bodega subscription: auto-renewable subscriptions, and what becomes of them

              bodega subscription list
              bodega subscription show ID
              bodega subscription cancel ID             its person turns renewal off
              bodega subscription resume ID             … and on again
              bodega subscription choose ID PRODUCT     another product of the group at the renewal;
                                                        the present one takes that back
              bodega subscription renew ID              the next period begins now
              bodega subscription expire ID             the period ends now, and none follows
              bodega subscription fail-billing ID       its payments fail from now on
              bodega subscription recover ID            they succeed again; what is owed is paid now
              bodega subscription extend ID DAYS        the period ends so many days later
              bodega subscription increase-price ID PRICE [--consent]
                                                        a higher price from the renewal on
              bodega subscription win-back ID [OFFER]   its person, who left, takes an offer to come
                                                        back; without OFFER, which there are

            ID is the number of the first transaction (originalTransactionId), which list shows. With
            --consent the person is asked, and the subscription ends unless they agree. What was due
            is done before anything else. bodega clock moves time on, and bodega clock pace makes
            months short.

            Options:
              --consent    ask the person about the price
              --world W    a test session instead of the default world
              --data DIR   the store's data directory (BODEGA_DATA)
              --url URL    the store's address (BODEGA_URL)
              --json       print the answer as JSON

            Examples:
              bodega subscription list
              bodega subscription fail-billing 2000000000000000
              bodega clock advance 40d
              bodega subscription recover 2000000000000000
              bodega subscription increase-price 2000000000000000 12.99 --consent
            """,
        options: ControlClient.options, flags: ["json", "consent"]
    ) { arguments in
        switch arguments.positional.first {
        case "list": try list(arguments)
        case "show":
            let id = try named(try arguments.words("show", "id")[1])
            try show(try ControlClient(arguments).send("GET", "/subscriptions/\(id)"), arguments)
        case let verb? where plainVerbs.contains(verb):
            try change(try arguments.words(verb, "id")[1], verb, nil, arguments)
        case "choose":
            let words = try arguments.words("choose", "id", "product")
            try change(
                words[1], "choose", ChooseSubscriptionBody(productId: words[2]), arguments)
        case "extend":
            let words = try arguments.words("extend", "id", "days")
            guard let days = Int(words[2]) else {
                throw UsageError("DAYS is a whole number, not \(words[2])")
            }
            let seen = try seen(words[1], arguments)
            try change(
                words[1], "extend",
                ExtendSubscriptionBody(days: days, expectedExpiresDate: seen.expiresDate),
                arguments)
        case "renew":
            let words = try arguments.words("renew", "id")
            let seen = try seen(words[1], arguments)
            try change(
                words[1], "renew",
                RenewSubscriptionBody(expectedTransactionId: seen.transactionId), arguments)
        case "increase-price":
            let words = try arguments.words("increase-price", "id", "price")
            try change(
                words[1], "price-increase",
                IncreaseSubscriptionPriceBody(
                    price: words[2], needsConsent: arguments.has("consent")), arguments)
        case "win-back": try winBack(arguments)
        default:
            throw arguments.notOne(
                of: "list", "show", "cancel", "resume", "choose", "renew", "expire",
                "fail-billing", "recover", "extend", "increase-price", "win-back")
        }
    }

    private static let plainVerbs: Set = [
        "cancel", "resume", "expire", "fail-billing", "recover",
    ]

    static func named(_ id: String) throws -> String {
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw UsageError("\(id) is no number; bodega subscription list shows them")
        }
        return id
    }

    /// The subscription before it is changed: a change that is not harmless twice names what it
    /// is a change of.
    private static func seen(_ id: String, _ arguments: Arguments) throws -> SubscriptionBody {
        let path = "/subscriptions/\(try named(id))"
        return try WireJSON.decode(
            SubscriptionBody.self, from: try ControlClient(arguments).send("GET", path))
    }

    static func change(
        _ id: String, _ verb: String, _ body: (any Encodable)?, _ arguments: Arguments
    ) throws {
        let path = "/subscriptions/\(try named(id))/\(verb)"
        let client = try ControlClient(arguments)
        let answer = try body.map { try client.send("POST", path, $0) } ?? client.send("POST", path)
        try show(answer, arguments)
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: SubscriptionBody.self, arguments, SubscriptionWords.line)
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let found = try ControlClient(arguments).pages(
            SubscriptionsBody.self, "/subscriptions", next: \.next
        ).flatMap(\.subscriptions)
        if arguments.has("json") {
            let all = try WireJSON.encode(SubscriptionsBody(subscriptions: found, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["ID", "ACCOUNT", "APP", "PRODUCT", "STATE", "RENEWS AS", "NOTES"],
                found.map {
                    [
                        $0.originalTransactionId, $0.account, $0.bundleId, $0.productId,
                        SubscriptionWords.state(of: $0), $0.autoRenewProductId ?? "-",
                        SubscriptionWords.notes(on: $0),
                    ]
                }))
    }
}
