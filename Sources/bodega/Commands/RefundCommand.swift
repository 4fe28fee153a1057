import Foundation
import StoreModel
import StoreWire

/// `bodega refund request|list|show|consumption|grant|decline|reverse`
enum RefundCommand {
    static let command = Command(
        help: """
            bodega refund: money that customers ask back, and what becomes of it

              bodega refund request ID --reason REASON   a customer asks for it, once for a purchase
              bodega refund consumption ID --consented --delivery STATUS
                      [--percentage P] [--prefer W] [--sample]
                                                         the app says what was consumed
              bodega refund grant ID [--prorated]        the money goes back, and the purchase is
                                                         taken back: receipt, verifyReceipt and apps
                                                         are told
              bodega refund decline ID                   it does not
              bodega refund reverse ID                   what was granted is the customer's again,
                                                         who pays it again
              bodega refund list
              bodega refund show ID

            ID is the number of a transaction. A subscription whose money is asked back does not
            renew, whatever is decided. A prorated refund gives back the rest of a subscription's
            period, and of anything else what the app said within 12 hours was not consumed.

            Options:
              --reason R      unintended-purchase, fulfillment-issue, unsatisfied-with-purchase,
                              legal or other
              --consented     the customer agreed that the app says it
              --delivery S    delivered, undelivered-quality-issue, undelivered-wrong-item,
                              undelivered-server-outage or undelivered-other
              --percentage P  how much was consumed, 0 to 100 with at most three places; never of
                              an auto-renewable subscription
              --prefer W      decline, grant-full or grant-prorated
              --sample        there was a free sample before the purchase
              --prorated      give back what is left instead of all
              --world W       a test session instead of the default world
              --data DIR      the store's data directory (BODEGA_DATA)
              --url URL       the store's address (BODEGA_URL)
              --json          print the answer as JSON

            Examples:
              bodega refund request 2000000000000000 --reason unintended-purchase
              bodega refund consumption 2000000000000000 --consented --delivery delivered \\
                  --percentage 40 --prefer grant-prorated
              bodega refund grant 2000000000000000 --prorated
              bodega refund reverse 2000000000000000
              bodega refund list --world checkout-test
            """,
        options: ControlClient.options.union(["reason", "delivery", "percentage", "prefer"]),
        flags: ["json", "consented", "sample", "prorated"]
    ) { arguments in
        switch arguments.positional.first {
        case "list": try list(arguments)
        case "show": try show(try send("GET", "show", path: "", arguments), arguments)
        case "request":
            let reason: RefundReason = try named(try arguments.required("reason"), "--reason")
            try change("request", RequestRefundBody(reason: reason), arguments)
        case "consumption":
            let path = "/refunds/\(try id("consumption", arguments))/consumption"
            let body = try consumption(arguments)
            try show(try ControlClient(arguments).send("PUT", path, body), arguments)
        case "grant":
            let type: RefundType = arguments.has("prorated") ? .prorated : .full
            try change("grant", GrantRefundBody(type: type), arguments)
        case "decline", "reverse":
            let verb = arguments.positional[0]
            try show(try send("POST", verb, path: "/\(verb)", arguments), arguments)
        default:
            throw arguments.notOne(
                of: "request", "consumption", "grant", "decline", "reverse", "list", "show")
        }
    }

    private static func id(_ verb: String, _ arguments: Arguments) throws -> String {
        let id = try arguments.words(verb, "id")[1]
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw UsageError("\(id) is no transaction's number")
        }
        return id
    }

    private static func send(
        _ method: String, _ verb: String, path: String, _ arguments: Arguments
    ) throws -> [UInt8] {
        let id = try id(verb, arguments)
        return try ControlClient(arguments).send(method, "/refunds/\(id)\(path)")
    }

    private static func change(
        _ verb: String, _ body: any Encodable, _ arguments: Arguments
    ) throws {
        let id = try id(verb, arguments)
        try show(
            try ControlClient(arguments).send("POST", "/refunds/\(id)/\(verb)", body), arguments)
    }

    private static func consumption(_ arguments: Arguments) throws -> Consumption {
        guard arguments.has("consented") else {
            throw UsageError("an app says nothing without --consented")
        }
        return Consumption(
            customerConsented: true,
            consumptionPercentage: try arguments.value("percentage").map(percentage),
            deliveryStatus: try named(try arguments.required("delivery"), "--delivery"),
            refundPreference: try arguments.value("prefer").map { try named($0, "--prefer") },
            sampleContentProvided: arguments.has("sample"))
    }

    /// A percentage as it is typed, in thousandths.
    private static func percentage(_ text: String) throws -> Int64 {
        guard let typed = Price(decimal: text), typed.milliunits <= Percentage.whole else {
            throw UsageError(
                "--percentage is 0 to 100 with at most three places, such as 33.333, not \(text)")
        }
        return typed.milliunits
    }

    /// One of Apple's names, also in small letters and with hyphens.
    private static func named<Name: CaseIterable & RawRepresentable>(
        _ text: String, _ option: String
    ) throws -> Name where Name.RawValue == String {
        let name = text.uppercased().replacingOccurrences(of: "-", with: "_")
        guard let found = Name(rawValue: name) else {
            let known = Name.allCases.map {
                $0.rawValue.lowercased().replacingOccurrences(of: "_", with: "-")
            }
            throw UsageError("\(option) is one of \(known.joined(separator: ", ")), not \(text)")
        }
        return found
    }

    // MARK: - What is printed

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: RefundBody.self, arguments) { body in
            "\(body.transactionId) of \(body.account): \(body.productId), \(state(of: body))"
        }
    }

    private static func state(of body: RefundBody) -> String {
        switch body.state {
        case .requested:
            "asked back (\(word(body.reason.rawValue))); the app has until "
                + "\(TimeWords.text(body.consumptionDueDate)) to say what was consumed"
        case .answered:
            "asked back (\(word(body.reason.rawValue))); the app said "
                + "\(body.consumption.map(consumed) ?? "nothing")"
        case .granted: "granted, \(given(body)) went back; the purchase is taken back"
        case .declined: "declined; the purchase stays"
        case .reversed: "granted and reversed; \(given(body)) was paid again, the purchase is back"
        }
    }

    private static func consumed(_ consumption: Consumption) -> String {
        var parts = [word(consumption.deliveryStatus.rawValue)]
        if let percentage = consumption.consumptionPercentage {
            parts.append("\(Decimal(percentage) / 1_000) % consumed")
        }
        if let wish = consumption.refundPreference {
            parts.append("prefers \(word(wish.rawValue))")
        }
        return parts.joined(separator: ", ")
    }

    private static func given(_ body: RefundBody) -> String {
        let amount = AmountWords.text(body.refundMilliunits ?? 0, body.currency ?? "")
        let share = Decimal(body.revocationPercentage ?? 0) / 1_000
        return body.revocationType == .prorated ? "\(amount) (\(share) %)" : amount
    }

    private static func word(_ name: String) -> String {
        name.lowercased().replacingOccurrences(of: "_", with: "-")
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let found = try ControlClient(arguments).pages(
            RefundsBody.self, "/refunds", next: \.next
        ).flatMap(\.refunds)
        if arguments.has("json") {
            let all = try WireJSON.encode(RefundsBody(refunds: found, next: nil))
            return Terminal.print(String(decoding: all, as: UTF8.self))
        }
        Terminal.print(
            Terminal.table(
                ["TRANSACTION", "ACCOUNT", "APP", "PRODUCT", "REASON", "STATE", "AMOUNT"],
                found.map {
                    [
                        $0.transactionId, $0.account, $0.bundleId, $0.productId,
                        word($0.reason.rawValue), $0.state.rawValue,
                        $0.refundMilliunits == nil ? "-" : given($0),
                    ]
                }))
    }
}
