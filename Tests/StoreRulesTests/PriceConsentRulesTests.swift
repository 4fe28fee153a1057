import StoreModel
import StoreRules
import Testing

struct PriceConsentRulesTests {
    private static let now = Timestamp(seconds: 100)

    private static func club(_ kind: ProductKind) -> Product {
        .sample(
            kind: kind,
            prices: [
                DatedPrice(storefront: "DEU", price: Price(decimal: "2.49"), from: nil),
                DatedPrice(
                    storefront: "DEU", price: Price(decimal: "9"), from: Timestamp(seconds: 101)),
            ])
    }

    private static func money(_ milliunits: Int64, _ code: String = "USD") throws -> Money {
        Money(milliunits: milliunits, currency: try #require(Currency(code: code)))
    }

    private static func question(
        _ number: Int64 = 1, of product: String = "com.example.fuel", new: Int64 = 2_990,
        state: PriceConsent.State = .pending
    ) throws -> PriceConsent {
        PriceConsent(
            number: number, account: AccountID(1), app: AppID(1), product: ProductID(product),
            oldPrice: try money(990), newPrice: try money(new), askedAt: now, state: state)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var kind = ProductKind.autoRenewable
        var storefront = "USA"
        var price = "2.99"
        var pending: [PriceConsent] = []
        var isSubscribed = false
        let expected: PriceConsentDecision
    }

    /// Refusals in the order of their cases, each with those after it true as well.
    static func rows() throws -> [Row] {
        let many = try (1...100).map { try question(Int64($0), of: "p\($0)") }
        return [
            Row(
                testDescription: "a higher price is asked about",
                expected: .ask(old: try money(990), new: try money(2_990))),
            Row(
                testDescription: "with the storefront's own price in force and its currency",
                storefront: "DEU", price: "2.5",
                expected: .ask(old: try money(2_490, "EUR"), new: try money(2_500, "EUR"))),
            Row(
                testDescription: "the same question is known, also when nothing rises any more",
                price: "0.99", pending: [try question(7, new: 990)], isSubscribed: true,
                expected: .answerKnown(try question(7, new: 990))),
            Row(
                testDescription: "what is bought by hand", kind: .nonRenewing, price: "0.5",
                pending: many + [try question(new: 3_000)], expected: .refuse(.notRenewable)),
            Row(
                testDescription: "another price waits", price: "0.5",
                pending: many + [try question(new: 3_000)], isSubscribed: true,
                expected: .refuse(.otherPending)),
            Row(
                testDescription: "a subscriber", price: "0.5", pending: many, isSubscribed: true,
                expected: .refuse(.subscribed)),
            Row(
                testDescription: "the same price", price: "0.99", pending: many,
                expected: .refuse(.noIncrease)),
            Row(
                testDescription: "a lower price", price: "0", pending: many,
                expected: .refuse(.noIncrease)),
            Row(
                testDescription: "too many", pending: many, expected: .refuse(.tooManyPending)),
            Row(
                testDescription: "one less", pending: Array(many.dropLast()),
                expected: .ask(old: try money(990), new: try money(2_990))),
        ]
    }

    @Test(arguments: try rows())
    func `a price question is asked or refused with a reason`(row: Row) throws {
        let decision = PriceConsentRules.asking(
            try #require(Price(decimal: row.price)), for: Self.club(row.kind),
            in: try #require(Storefront(countryCode: row.storefront)), at: Self.now,
            pending: row.pending, isSubscribed: row.isSubscribed)
        #expect(decision == row.expected)
    }

    @Test func `every reason against a price question has a row`() throws {
        let reasons = try Self.rows().compactMap { row -> PriceConsentRefusal? in
            guard case .refuse(let reason) = row.expected else { return nil }
            return reason
        }
        #expect(Set(reasons) == Set(PriceConsentRefusal.allCases))
        #expect(reasons.map { PriceConsentRefusal.allCases.firstIndex(of: $0) ?? -1 }.isSorted)
    }

    @Test(
        arguments: [
            (nil, .agreed, .take), (nil, .declined, .take), (.agreed, .agreed, .answerKnown),
            (.declined, .declined, .answerKnown), (.agreed, .declined, .stands(.agreed)),
            (.declined, .agreed, .stands(.declined)),
        ] as [(PriceConsent.Answer?, PriceConsent.Answer, PriceConsentReply)])
    func `the first answer to a price question stands`(
        known: PriceConsent.Answer?, answer: PriceConsent.Answer, expected: PriceConsentReply
    ) throws {
        let state = known.map { PriceConsent.State.answered($0, at: Self.now) }
        let question = try Self.question(state: state ?? .pending)
        #expect(question.answer == known)
        #expect(PriceConsentRules.answering(question, with: answer) == expected)
    }

    @Test(arguments: PriceConsent.Answer.allCases)
    func `a withdrawn price question cannot be answered`(answer: PriceConsent.Answer) throws {
        let question = try Self.question(state: .withdrawn(at: Self.now))
        #expect(question.answer == nil)
        #expect(PriceConsentRules.answering(question, with: answer) == .withdrawn)
    }
}

extension [Int] {
    fileprivate var isSorted: Bool { self == sorted() }
}
