import StoreModel
import StoreRules
import Testing

/// What servers are told of each state: the fields of `pending_renewal_info`, as it names them.
struct RenewalInfoTests {
    enum Phase: String, CaseIterable, Sendable {
        case active, grace, retry, expired, revoked
    }

    enum Consent: String, CaseIterable, Sendable {
        case nothing, asked, agreed, declined, notNeeded
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let phase: Phase
        var isOn = true
        var consent = Consent.nothing
        var chosen: String?
        /// Of the present period, or for the next one.
        var offer: String?
        let expected: String

        var testDescription: String {
            "\(phase)\(isOn ? "" : " off") \(consent) \(chosen ?? "-") \(offer ?? "-")"
        }
    }

    /// Product, intent, retry, consent, increase, offer.
    static let rows: [Row] = [
        Row(phase: .active, expected: "silver - - - - -"),
        Row(phase: .active, isOn: false, expected: "silver - - - - -"),
        Row(phase: .active, chosen: "bronze", expected: "bronze - - - - -"),
        Row(phase: .active, consent: .asked, expected: "silver - - no no -"),
        Row(phase: .active, consent: .agreed, expected: "silver - - yes yes -"),
        Row(phase: .active, consent: .declined, expected: "silver - - no no -"),
        Row(phase: .active, consent: .notNeeded, expected: "silver - - - yes -"),
        Row(phase: .active, isOn: false, consent: .asked, expected: "silver - - no no -"),
        // Another product has a price of its own.
        Row(phase: .active, consent: .asked, chosen: "bronze", expected: "bronze - - - - -"),
        Row(phase: .active, consent: .notNeeded, chosen: "bronze", expected: "bronze - - - - -"),
        Row(phase: .active, offer: "present", expected: "silver - - - - spring"),
        Row(phase: .active, offer: "last", expected: "silver - - - - -"),
        Row(phase: .active, offer: "next", expected: "silver - - - - spring"),
        Row(phase: .active, chosen: "bronze", offer: "present", expected: "bronze - - - - -"),
        Row(phase: .active, chosen: "bronze", offer: "next", expected: "bronze - - - - spring"),
        // What does not renew has no offer then.
        Row(phase: .active, isOn: false, offer: "present", expected: "silver - - - - -"),
        Row(phase: .active, isOn: false, offer: "next", expected: "silver - - - - -"),
        Row(phase: .grace, expected: "silver 2 yes - - -"),
        Row(phase: .grace, isOn: false, expected: "silver 1 no - - -"),
        Row(phase: .grace, consent: .asked, expected: "silver 2 yes no no -"),
        Row(phase: .grace, offer: "present", expected: "silver 2 yes - - spring"),
        Row(phase: .grace, chosen: "bronze", expected: "bronze 2 yes - - -"),
        Row(phase: .retry, expected: "silver 2 yes - - -"),
        Row(phase: .retry, isOn: false, expected: "silver 1 no - - -"),
        Row(phase: .retry, consent: .notNeeded, expected: "silver 2 yes - yes -"),
        Row(phase: .expired, expected: "silver 2 no - - -"),
        Row(phase: .expired, consent: .asked, chosen: "bronze", expected: "silver 2 no - - -"),
        Row(phase: .expired, offer: "present", expected: "silver 2 no - - -"),
        Row(phase: .revoked, expected: "silver 5 no - - -"),
        Row(phase: .revoked, offer: "next", expected: "silver 5 no - - -"),
    ]

    @Test(arguments: rows) func `renewal information matches the subscription's state`(row: Row)
        throws
    {
        let info = RenewalInfo(try Self.subscription(row))
        func word(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "-" }
        let found = [
            info.product.rawValue, info.expirationIntent.map { "\($0)" } ?? "-",
            word(info.isInBillingRetry), word(info.consent), word(info.increase),
            info.offer?.id ?? "-",
        ]
        #expect(found.joined(separator: " ") == row.expected)
    }

    @Test(arguments: ExpirationReason.allCases)
    func `each expiration reason has its number`(reason: ExpirationReason) throws {
        let info = RenewalInfo(RenewalRules.expired(try Samples.bought(), reason))
        #expect(info.expirationIntent == reason.rawValue && info.isInBillingRetry == false)
    }

    private static func subscription(_ row: Row) throws -> Subscription {
        let offer = try SubscriptionOfferTests.offer(
            .payAsYouGo, .months(1), count: row.offer == "last" ? 1 : 3, 990, kind: .promotional)
        let isPresent = ["present", "last"].contains(row.offer)
        var made = try Samples.bought(offer: isPresent ? offer : nil)
        if row.consent != .nothing {
            made = try SubscriptionChangeRules.increasePrice(
                to: Samples.money(12_990), question: row.consent == .notNeeded ? nil : 1, made)
        }
        if row.chosen != nil || row.offer == "next" {
            made = try SubscriptionChangeRules.choose(
                row.chosen.map { ProductID($0) }, offer: row.offer == "next" ? offer : nil, made,
                at: Samples.start)
        }
        switch row.consent {
        case .agreed: made = try SubscriptionChangeRules.answer(.agreed, made)
        case .declined: made = try SubscriptionChangeRules.answer(.declined, made)
        case .nothing, .asked, .notNeeded: break
        }
        if !row.isOn {
            made = try SubscriptionChangeRules.setAutoRenew(false, made, at: Samples.start)
        }
        let owed = RenewalRules.unpaid(
            made, Samples.facts(grace: .sixteenDays), at: made.expiresAt)
        return switch row.phase {
        case .active: made
        case .grace: owed
        case .retry: RenewalRules.graceEnded(owed)
        case .expired: RenewalRules.expired(made, .billingError)
        case .revoked: SubscriptionChangeRules.revoked(made)
        }
    }
}
