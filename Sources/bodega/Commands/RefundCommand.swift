import Foundation
import StoreModel
import StoreWire

/// `bodega refund`
enum RefundCommand {
    static let command = Command(
        group: "refund", "customers' refund requests, and their outcome",
        shared: Option.inWorld,
        details: """
            ID is the number of a transaction. A subscription with a refund request does not renew,
            whatever the decision. A prorated refund returns the rest of a subscription's period;
            for anything else, it returns the part that the app, within 12 hours, reported as not
            consumed.
            """,
        examples: [
            "bodega refund request 2000000000000000 --reason unintended-purchase",
            "bodega refund consumption 2000000000000000 --consented --delivery delivered "
                + "--percentage 40 --prefer grant-prorated",
            "bodega refund grant 2000000000000000 --prorated",
            "bodega refund reverse 2000000000000000", "bodega refund list --world checkout-test",
        ],
        commands: [
            Command(
                "request ID", "a customer requests a refund, once per purchase",
                [choice("reason", "R", RefundReason.self, isRequired: true)]
            ) {
                let body = RequestRefundBody(reason: try $0.requiredChoice("reason"))
                try change($0, "POST", "/request", body)
            },
            Command(
                "consumption ID", "the app reports what was consumed",
                [
                    Option("consented", "the customer agreed to the report"),
                    choice("delivery", "S", Consumption.DeliveryStatus.self, isRequired: true),
                    Option(
                        "percentage", "P",
                        "how much was consumed, 0 to 100 with at most three places; not for an "
                            + "auto-renewable subscription"),
                    choice("prefer", "W", Consumption.Preference.self),
                    Option("sample", "there was a free sample before the purchase"),
                ]
            ) { try change($0, "PUT", "/consumption", try consumption($0)) },
            Command(
                "grant ID",
                "refund and revoke a purchase: receipts show it, and apps are notified",
                [Option("prorated", "refund only the unused part")]
            ) {
                let type: RefundType = $0.has("prorated") ? .prorated : .full
                try change($0, "POST", "/grant", GrantRefundBody(type: type))
            },
            Command("decline ID", "refuse the refund") { try change($0, "POST", "/decline") },
            Command(
                "reverse ID", "reverse a refund: the customer owns the purchase and pays again"
            ) { try change($0, "POST", "/reverse") },
            Command("list", "every request and its outcome", run: list),
            Command("show ID", "one request") { try change($0, "GET", "") },
        ])

    /// An option whose choices are Apple's names, in small letters and with hyphens.
    private static func choice<Name: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ value: String, _ type: Name.Type, isRequired: Bool = false
    ) -> Option {
        let choices = Name.allCases.map { word($0.rawValue) }
        return Option(
            name, value, Spelling.either(choices), choices: choices, isRequired: isRequired)
    }

    private static func change(
        _ arguments: Arguments, _ method: String, _ place: String, _ body: (any Encodable)? = nil
    ) throws {
        let path = "/refunds/\(try arguments.transaction())\(place)"
        try arguments.send(method, path, body) { (body: RefundBody) in
            "\(body.transactionId) of \(body.account): \(body.productId), \(state(of: body))"
        }
    }

    private static func consumption(_ arguments: Arguments) throws -> Consumption {
        guard arguments.has("consented") else {
            throw UsageError("an app may report only with the customer's consent: add --consented")
        }
        return Consumption(
            customerConsented: true,
            consumptionPercentage: try arguments.value("percentage").map(percentage),
            deliveryStatus: try arguments.requiredChoice("delivery"),
            refundPreference: arguments.choice("prefer"),
            sampleContentProvided: arguments.has("sample"))
    }

    /// A percentage as typed, in thousandths.
    private static func percentage(_ text: String) throws -> Int64 {
        guard let typed = Price(decimal: text), typed.milliunits <= Percentage.whole else {
            throw UsageError(
                "--percentage must be 0 to 100 with at most three places, such as 33.333, not "
                    + text)
        }
        return typed.milliunits
    }

    // MARK: - What is printed

    private static func state(of body: RefundBody) -> String {
        switch body.state {
        case .requested:
            "refund requested (\(word(body.reason.rawValue))); the app has until "
                + "\(TimeWords.text(body.consumptionDueDate)) to report what was consumed"
        case .answered:
            "refund requested (\(word(body.reason.rawValue))); the app reported "
                + "\(body.consumption.map(consumed) ?? "nothing")"
        case .granted:
            "granted, \(given(body).map { "\($0) refunded" } ?? uncharged); the purchase is revoked"
        case .declined: "declined; the purchase stays"
        case .reversed:
            "granted and reversed; \(given(body).map { "\($0) was paid again" } ?? uncharged), the "
                + "purchase restored"
        }
    }

    private static let uncharged = "no money moved, because none was charged"

    private static func consumed(_ consumption: Consumption) -> String {
        var parts = [word(consumption.deliveryStatus.rawValue)]
        if let percentage = consumption.consumptionPercentage {
            parts.append("\(Decimal(percentage) / 1_000) % consumed")
        }
        if let preference = consumption.refundPreference {
            parts.append("prefers \(word(preference.rawValue))")
        }
        return parts.joined(separator: ", ")
    }

    /// Nil when no money moved: the sandbox charges nobody.
    private static func given(_ body: RefundBody) -> String? {
        guard body.environment == .production, body.refundMilliunits ?? 0 > 0 else { return nil }
        let amount = AmountWords.text(body.refundMilliunits ?? 0, body.currency ?? "")
        let share = Decimal(body.revocationPercentage ?? 0) / 1_000
        return body.revocationType == .prorated ? "\(amount) (\(share) %)" : amount
    }

    private static func word(_ name: String) -> String {
        name.lowercased().replacingOccurrences(of: "_", with: "-")
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.list(
            "/refunds", \.refunds, \.next, RefundsBody.init,
            ["TRANSACTION", "ACCOUNT", "APP", "PRODUCT", "REASON", "STATE", "AMOUNT"]
        ) {
            [
                $0.transactionId, $0.account, $0.bundleId, $0.productId, word($0.reason.rawValue),
                $0.state.rawValue, given($0) ?? "-",
            ]
        }
    }
}
